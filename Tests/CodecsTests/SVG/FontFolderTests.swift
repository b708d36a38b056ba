import Codecs
import Support
import Testing

@Suite("Fonts installed with the program")
struct FontFolderTests {
    private static let listed = "/usr/share/fonts/opentype/inter/Inter-Bold.otf"

    @Test("a font next to the program is preferred to its path in the system")
    func beside() throws {
        let folder = try ScratchFolder()
        try folder.write("a font", to: "share/emblem/fonts/Inter-Bold.otf")
        try folder.write("a program", to: "bin/emblem")
        let fonts = FontFolder(ofProgram: folder.path("bin/emblem"))
        #expect(fonts.path(of: Self.listed) == folder.path("share/emblem/fonts/Inter-Bold.otf"))
        let other = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
        #expect(fonts.path(of: other) == other)
    }

    @Test(
        "every font is read from its path in the system without a font folder",
        arguments: ["", "emblem", "/emblem"])
    func system(program: String) {
        #expect(FontFolder(ofProgram: program).path(of: Self.listed) == Self.listed)
    }
}
