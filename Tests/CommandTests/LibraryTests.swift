import Glibc
import Support
import Testing

/// The tool where a library that it opens late cannot be opened: the system finds a file of its name
/// first that is no library.
@Suite("Missing libraries")
struct LibraryTests {
    private static func folder(without library: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write([], to: library)
        // Workers look as well, and are nobody by then.
        _ = unsafe chmod(folder.path, 0o755)
        return folder
    }

    @Test("a HEIC without libheif names the package", arguments: ["none", "process"])
    func heif(isolation: String) throws {
        let folder = try Self.folder(without: "libheif.so.1")
        let size = HEIFMuxer.size(64, 64)
        var muxer = HEIFMuxer()
        _ = muxer.add("hvc1", [0, 0, 0, 1, 2], [size])
        let file = try folder.write(muxer.bytes(), to: "phone.heic")
        let ending = try Tool.emblem(
            ["inspect", "--isolate", isolation, file],
            environment: ["LD_LIBRARY_PATH": folder.path])
        let text = ending.output + ending.errors
        #expect(text.contains("libheif1") && text.contains("not installed"), "\(text)")
    }

    @Test("an address without libcurl names the package")
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
