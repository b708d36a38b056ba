import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("The format and the tag of a response")
struct FileFormatTests {
    @Test(
        "a server chooses the format that the client prefers and names",
        arguments: [
            ("image/avif,image/webp,image/apng,*/*;q=0.8", .avif),
            ("image/png, image/webp ; q=0.5", .png), ("IMAGE/WEBP;Q=0.3", .webp),
            ("*/*", .png), ("image/*;q=0.1", .png), ("", .png), (nil, .png), (" , ", .png),
            ("image/webp;q=0, */*", .png), ("image/webp;q=nonsense,image/*", .png),
            ("image/webp;q=nan", nil), ("text/html", nil), ("image/*;q=0", nil),
            ("image/avif;q=0.2,image/webp;q=0.9,image/png;q=0.9", .webp),
        ] as [(String?, FileFormat?)])
    func accepting(header: String?, format: FileFormat?) {
        #expect(FileFormat(accepting: header, from: [.avif, .webp, .png]) == format)
    }

    @Test("an entity tag matches itself in a list, weak or strong, and no other tag")
    func tags() {
        let tag = EntityTag(of: Data("emblem".utf8))
        let other = EntityTag(of: Data("emblems".utf8))
        #expect(tag != other && tag.description.count == 34)
        for header in ["\(tag)", "W/\(tag)", "\(other), \(tag)", "\"a,b\" , W/\(tag)", "*"] {
            #expect(tag.matches(header), "\(header)")
        }
        for header in [
            nil, "", "\(other)", "\(tag.description.dropLast())", "W/", "x \(tag)", "\"",
        ] {
            #expect(!tag.matches(header), "\(header ?? "nil")")
        }
    }

    @Test("encoding leaves Swift's threads to the program")
    func threads() throws {
        let ending = try Tool.run(Tool.path(of: "KitProbe"), ["encode"])
        #expect(ending.status == 0, "\(ending.errors)")
        let finished = try #require(Int(ending.output.filter { $0.isNumber }))
        // If the encodings blocked Swift's threads, nearly all 16 would end before the tasks queued
        // behind them.
        #expect(finished < 8)
    }
}
