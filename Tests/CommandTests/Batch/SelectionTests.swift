import Notation
import Raster
import Support
import Testing

@Suite("The choice of files in a folder", .ownThreads)
struct SelectionTests {
    @Test(
        "--only and --exclude select files by their path, and --hidden includes dot names",
        arguments: [
            ([], ["a", "drafts/b", "drafts/old/c"]), (["--only", "*.png"], ["a"]),
            (["--only", "**/*.png", "--exclude", "drafts/old/"], ["a", "drafts/b"]),
            (["--exclude", "drafts/**"], ["a"]),
            (["--only", "drafts/b*", "--only", "a.*"], ["a", "drafts/b"]),
            (["--hidden", "--only", ".h/**"], [".h/d"]),
        ] as [([String], [String])])
    func selection(_ words: [String], _ names: [String]) throws {
        let folder = try ScratchFolder()
        let picture = try Pictures.disc(.black, width: 30, height: 30)
        for name in ["a", "drafts/b", "drafts/old/c", ".h/d"] {
            try folder.write(picture, to: "in/\(name).png")
        }
        let run = try Tool.emblem(
            ["batch", "in", "-o", "out", "--layout", "small"] + words, in: folder.path)
        #expect(run.status == 0, "\(run)")
        let sources = try ManifestText(folder).items.compactMap { $0["source"]?.stringValue }
        #expect(sources == names.map { "in/\($0).png" }, "\(run.errors)")
    }
}
