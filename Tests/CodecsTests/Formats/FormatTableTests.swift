import Codecs
import Foundation
import Support
import Testing

@Suite("The table of image formats")
struct FormatTableTests {
    @Test("the format table gives every name, extension and media type to one format only")
    func isUnambiguous() {
        let all = ImageFormat.allCases
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Set(all.map(\.mediaType)).count == all.count)
        let extensions = all.flatMap(\.fileExtensions)
        #expect(Set(extensions).count == extensions.count)
        #expect(extensions.allSatisfy { $0 == $0.lowercased() && (2...5).contains($0.count) })
    }

    @Test("the format table agrees with itself about reading and writing a format")
    func agrees() {
        for output in OutputFormat.allCases {
            let format = ImageFormat.named(output.name)
            #expect(format?.output == output)
            #expect(format?.fileExtensions.contains(output.fileExtension) == true)
            #expect(OutputFormat.ofFile("a/b.\(output.fileExtension.uppercased())") == output)
            #expect(output.canBeLossless || output.canBeLossy)
            if case .lossless = output.defaultQuality { #expect(output.canBeLossless) }
        }
    }

    @Test(
        "the format table decides which files of a folder are pictures by name",
        arguments: ImageFormat.allCases)
    func names(format: ImageFormat) {
        for ending in format.fileExtensions {
            #expect(PictureName.hasPictureExtension(Array("a.\(ending)".utf8)))
            #expect(PictureName.withoutPictureExtension("a.\(ending.uppercased())") == "a")
        }
        #expect(PictureName.hasPictureExtension(Array("scan.TIFF".utf8)))
        #expect(!PictureName.hasPictureExtension(Array("notes.md".utf8)))
    }

    @Test("the format table equals the list in the schema of the manifest")
    func schema() throws {
        let url = Repository.root.appending(
            path: "Sources/EmblemKit/EmblemKit.docc/Schemas/manifest-1.schema.json")
        let text = try String(contentsOf: url, encoding: .utf8)
        let list = try #require(
            text.firstMatch(of: /"format": \{[^}]*"enum": \[([^\]]*)\]/)?.output.1)
        let names = list.split(separator: ",").map { $0.filter { $0.isLetter || $0.isNumber } }
        #expect(Set(names) == Set(ImageFormat.allCases.map(\.name)))
    }
}
