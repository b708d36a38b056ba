import Flags
import Foundation
import Notation
import Support
import System
import Testing

@Suite struct HostileTests {
    @Test(
        "any command line is parsed or refused with printable text",
        arguments: 1...4 as ClosedRange<UInt64>)
    func words(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let stock = [
            "paint", "shop", "list", "--", "-", "--jobs", "--jobs=", "-j", "-jq", "-qj", "--note",
            "--linear", "--=", "---",
            "--room=hall,,", "--memory=99999999999G", "--tone", "#", "\u{1B}[2J",
            "é", "\u{301}", "", " ",
            "--no-", "-\u{301}", "--output=\u{0}", "--misses", "%", "--zoom", "1,1,2", "--margin",
            "1e999",
        ]
        var refused = 0
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...6, using: &random)
            let line =
                ["paint"] + (0..<count).map { _ in stock.randomElement(using: &random) ?? "" }
            guard let complaint = Sample.complaint(line) else { continue }
            refused += 1
            #expect(
                !complaint.isEmpty && !complaint.contains("\u{1B}") && !complaint.contains("\u{0}"))
        }
        #expect((500..<3_000).contains(refused))
    }

    @Test(
        "a damaged configuration file is refused with printable text",
        arguments: 1...3 as ClosedRange<UInt64>)
    func files(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let whole = #"{"room": ["hall"], "jobs": 3, "quiet": true, "note": ["a"], "margin": 1.5}"#
        #expect(Sample.complaint(["paint"], json: whole) == nil)
        var (broken, strange, read) = (0, 0, 0)
        for _ in 0..<2_000 {
            var bytes = Array(whole.utf8)
            for _ in 0...random.below(3) {
                bytes[random.below(bytes.count)] = UInt8(32 + random.below(95))
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let isJSON = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
            guard let complaint = Sample.complaint(["paint"], json: text) else {
                #expect(isJSON, "\(text)")
                read += 1
                continue
            }
            #expect(!complaint.isEmpty)
            #expect(!complaint.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
            if isJSON { strange += 1 } else { broken += 1 }
        }
        #expect(broken > 500 && strange > 50 && read > 5, "\(broken), \(strange), \(read)")
    }

    @Test("a value has the same meaning after a space and after an equals sign")
    func equivalence() throws {
        var tried = 0
        for flag in Sample.paint.flags where flag.shape.takesValue {
            guard case .value(let text) = flag.fallback else { continue }
            tried += 1
            // Another option needs --sketch.
            let words = ["paint", "--sketch", "a"]
            let apart = try Sample.parse(words + ["--\(flag.name)", text])
            let joined = try Sample.parse(words + ["--\(flag.name)=\(text)"])
            #expect(apart.texts(flag) == joined.texts(flag) && apart.isSet(flag))
        }
        #expect(tried > 1)
    }
}
