import Glibc
import Raster
import Support
import Testing

/// The tool without a library that it loads late: the system finds an invalid file of the same name
/// first.
@Suite("Missing libraries", .ownThreads)
struct LibraryTests {
    private static func folder(without library: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write([], to: library)
        // Workers read the folder too, as the user nobody.
        _ = unsafe chmod(folder.path, 0o755)
        return folder
    }

    @Test(
        "a HEIC without libheif fails with the name of the package", arguments: ["none", "process"])
    func heif(isolation: String) throws {
        let folder = try Self.folder(without: "libheif.so.1")
        let size = HEIFMuxer.size(64, 64)
        var muxer = HEIFMuxer()
        _ = muxer.add("hvc1", [0, 0, 0, 1, 2], [size])
        let file = try folder.write(muxer.bytes(), to: "phone.heic")
        let ending = try Tool.emblem(
            ["inspect", "--sandbox", isolation, file],
            environment: ["LD_LIBRARY_PATH": folder.path])
        let text = ending.output + ending.errors
        #expect(text.contains("libheif1") && text.contains("Install the Debian package"), "\(text)")
    }

    @Test(
        "a drawing fails without librsvg with the package names, and a photograph is drawn",
        arguments: ["none", "process"])
    func drawings(isolation: String) throws {
        let folder = try Self.folder(without: "librsvg-2.so.2")
        let environment = ["LD_LIBRARY_PATH": folder.path]
        try folder.write(try Pictures.disc(.black, width: 40, height: 40), to: "in/photo.png")
        try folder.write(
            Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8),
            to: "in/drawing.svg")
        let photo = try Tool.emblem(
            [
                "batch", folder.path("in/photo.png"), "-o", folder.path("out"), "--sandbox",
                isolation,
            ],
            environment: environment)
        #expect(photo.status == 0, "\(photo.errors)")
        let drawing = try Tool.emblem(
            ["inspect", folder.path("in/drawing.svg"), "--sandbox", isolation],
            environment: environment)
        #expect((drawing.output + drawing.errors).contains("librsvg2-2"), "\(drawing)")
        // The placeholder is a drawing, too.
        let both = try Tool.emblem(
            [
                "render", "emblem", folder.path("in/drawing.svg"), "-o", folder.path("x.png"),
                "--sandbox", isolation,
            ], environment: environment)
        #expect(both.errors.contains("librsvg2-2"), "\(both.errors)")
    }

    @Test("formats lists no format of a missing library")
    func formats() throws {
        for (library, name, reads, writes) in [
            ("librsvg-2.so.2", "librsvg         missing", " avif gif ico bmp heic", " avif"),
            ("libheif.so.1", "libheif         missing", " gif ico bmp svg", ""),
        ] {
            let folder = try Self.folder(without: library)
            let environment = ["LD_LIBRARY_PATH": folder.path]
            let text = try Tool.emblem(["formats"], environment: environment).output
            #expect(text.contains(name), "\(text)")
            #expect(text.contains("reads    png webp jpeg\(reads)\n"), "\(text)")
            #expect(text.contains("writes   png webp jpeg\(writes)\n"), "\(text)")
            let json = try Tool.emblem(["formats", "--json"], environment: environment).output
            let listed = (["png", "webp", "jpeg"] + reads.split(separator: " ").map(String.init))
                .map { "\"\($0)\"" }
            let packed = json.filter { !$0.isWhitespace }
            #expect(packed.contains("\"reads\":[\(listed.joined(separator: ","))]"), "\(json)")
        }
    }

    @Test(
        "a badge without cairo fails with the name of the package", arguments: ["none", "process"])
    func badge(isolation: String) throws {
        let folder = try Self.folder(without: "libcairo.so.2")
        try folder.write(try Pictures.disc(.black, width: 40, height: 40), to: "photo.png")
        let ending = try Tool.emblem(
            [
                "render", "emblem", folder.path("photo.png"), "--badge", "dot:danger", "-o",
                folder.path("x.png"), "--sandbox", isolation,
            ], environment: ["LD_LIBRARY_PATH": folder.path])
        #expect(ending.status == 1 && ending.errors.contains("librsvg2-2"), "\(ending)")
    }

    @Test("a host name beyond ASCII without GLib fails alone with the name of the package")
    func names() throws {
        let folder = try Self.folder(without: "libgobject-2.0.so.0")
        let picture = try Pictures.disc(.black, width: 40, height: 40)
        try folder.write(picture, to: "plain.png")
        try folder.write(picture, to: "\u{E9}clair.png")
        func batch(_ name: String) throws -> Tool.Ending {
            try Tool.emblem(
                ["batch", folder.path(name), "-o", folder.path("out"), "--placeholder", "none"],
                environment: ["LD_LIBRARY_PATH": folder.path])
        }
        #expect(try batch("plain.png").status == 0)
        let ending = try batch("\u{E9}clair.png")
        #expect(ending.status == 69 && ending.errors.contains("libglib2.0-0"), "\(ending)")
    }

    @Test("text without Pango fails with the name of the package")
    func text() throws {
        let folder = try Self.folder(without: "libpangocairo-1.0.so.0")
        let ending = try Tool.emblem(
            ["render", "state", "--title", "Hello", "-o", folder.path("x.png")],
            environment: ["LD_LIBRARY_PATH": folder.path])
        #expect(ending.errors.contains("libpangocairo-1.0-0"), "\(ending.errors)")
    }

    @Test("a URL without libcurl fails with the name of the package")
    func curl() throws {
        let folder = try Self.folder(without: "libcurl.so.4")
        let ending = try Tool.emblem(
            [
                "render", "emblem", "http://127.0.0.1:9/x.png", "--allow-private", "-o",
                folder.path("x.png"),
            ], environment: ["LD_LIBRARY_PATH": folder.path])
        #expect(ending.errors.contains("libcurl4"), "\(ending.errors)")
    }
}
