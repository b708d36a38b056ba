import Testing
import Transport

@Suite("A data: URI")
struct DataURITests {
    @Test(
        "a data: URI gives its bytes",
        arguments: [
            ("data:,abc", "abc"), ("data:text/plain,a%20b", "a b"), ("DATA:;base64,YWJj", "abc"),
            ("data:image/png;base64,YWJj", "abc"), ("data:image/png;charset=x;BASE64,YWI=", "ab"),
            ("data:image/png; base64,YWI", "ab"), ("data:;base64,YW%4A%6A", "abc"),
            ("data:image/svg+xml;utf8,<svg fill='#fff'/>", "<svg fill='#fff'/>"), ("data:,", ""),
            ("data:;base64,", ""), ("data:base64,YWJj", "YWJj"), ("data:,a,b", "a,b"),
        ])
    func bytes(_ text: String, _ bytes: String) throws {
        #expect(try DataURI.decode(text, bytesLimit: 100) == Array(bytes.utf8))
    }

    @Test(
        "a data: URI that is broken is a bad URL",
        arguments: ["data:", "data:abc", "data:;base64,!!", "data:;base64,YWJjZ", "date:,x", ""])
    func broken(_ text: String) {
        let error = #expect(throws: ItemFailure.self) {
            try DataURI.decode(text, bytesLimit: 100)
        }
        #expect(error?.className == "bad_url")
    }

    @Test("a data: URI holds at most as many bytes as are allowed")
    func limit() throws {
        let text = "data:," + String(repeating: "x", count: 100)
        let base64 = "data:;base64," + String(repeating: "AAAA", count: 34)
        #expect(try DataURI.decode(text, bytesLimit: 100).count == 100)
        #expect(try DataURI.decode(base64, bytesLimit: 102).count == 102)
        for (uri, limit) in [(text, 99), (text, 10), (base64, 101)] {
            #expect(throws: ItemFailure(tooLarge: limit)) {
                try DataURI.decode(uri, bytesLimit: limit)
            }
        }
    }
}
