import Artwork
import Codecs
import EmblemKit
import FoundationEssentials
import Render
import Support
import Testing
import Transport

@Suite("Error messages of the library")
struct MessageTests {
    private static let errors: [EmblemError] = [
        EmblemError(ItemFailure(tooLarge: 7)), EmblemError(ItemFailure(noIcon: "x")),
        EmblemError(ItemFailure(Errno(24))), EmblemError(DecodeError.notImage),
        EmblemError(DecodeError.truncated), EmblemError(DecodeError.limitPixels),
        EmblemError(DecodeError.limitDecode("x")), EmblemError(RenderError.stopped),
        EmblemError(RenderError.decode(.limitPixels)),
        EmblemError(ArtworkError.tooLarge(9, 9)),
        EmblemError(ArtworkError.drawing(.truncated)), .missingURL, .scaleOutOfRange(9),
    ]

    @Test(
        "an error of the library names no option of the tool, and no limit that cannot be raised",
        arguments: errors)
    func settings(error: EmblemError) {
        let text = "\(error)"
        #expect(!text.isEmpty && !text.contains("--"), "\(text)")
        #expect(!text.contains("allow truncation") && !text.contains("raise"), "\(text)")
    }

    @Test("the error of an image with too many pixels names the limit")
    func pixels() throws {
        let error = try #require(throws: EmblemError.self) {
            try Image(width: 8_000, height: 8_000, rgba: [])
        }
        #expect("\(error)".contains("Decoding.pixelsLimit"))
    }

    @Test("the error for a missing font names its package")
    func fonts() {
        let error = EmblemError(
            ArtworkError.fonts(.missing(file: "/usr/share/fonts/x.otf", package: "fonts-inter")))
        #expect("\(error)".contains("Debian package fonts-inter"))
    }

    /// Runs a program for which an invalid file replaces a library.
    private func run(without library: String, _ words: [String]) throws -> String {
        let folder = try ScratchFolder()
        try folder.write([], to: library)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let ending = try Tool.run(
            Tool.path(of: "KitProbe"), words, environment: ["LD_LIBRARY_PATH": folder.path])
        #expect(ending.status == 0, "\(ending.errors)")
        return ending.output
    }

    @Test("the errors for a missing libcurl or libheif name their packages")
    func libraries() throws {
        #expect(try run(without: "libcurl.so.4", ["load"]).contains("Debian package libcurl4"))
        #expect(try run(without: "libheif.so.1", ["avif"]).contains("Debian package libheif1"))
    }
}
