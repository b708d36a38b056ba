import Codecs
import Testing

@Suite("The character encoding of an SVG")
struct DrawingEncodingTests {
    private static func drawing(_ declaration: String) -> [UInt8] {
        Array(
            (declaration
                + "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
                + "<path d='M0 0h9'/></svg>")
                .utf8)
    }

    @Test(
        "an SVG encoding that browsers support is read",
        arguments: ["utf-8", "KOI8-R", "windows-1252", "Big5"])
    func known(name: String) throws {
        let bytes = Self.drawing("<?xml version='1.0' encoding='\(name)'?>")
        let header = try ImageDecoder.header(of: bytes.span)
        #expect(header.format == .svg)
        let needsModule = XMLEncoding.needsModule(bytes.span)
        #expect(needsModule == (name != "utf-8"))
    }

    @Test(
        "an unknown SVG encoding is refused the same in every process",
        arguments: ["IBM037", "hp-roman8", "x"])
    func unknown(name: String) {
        let bytes = Self.drawing("<?xml version=\"1.0\" encoding = \"\(name)\" ?>")
        #expect(throws: DecodeError.unsupported("an SVG in the encoding \(name.lowercased())")) {
            _ = try ImageDecoder.header(of: bytes.span)
        }
        let needsModule = XMLEncoding.needsModule(bytes.span)
        #expect(!needsModule)
    }
}
