import Notation
import Raster
import Support
import Testing

@Suite("The choice of files in a folder", .ownThreads)
struct SelectionTests {
    @Test(
        "--exclude skips files by their path, and dot names are left out",
        arguments: [
            ([], ["a", "drafts/b", "drafts/old/c"]),
            (["--exclude", "drafts/old/"], ["a", "drafts/b"]), (["--exclude", "drafts/**"], ["a"]),
            (["--exclude", "a.*", "--exclude", "drafts/b*"], ["drafts/old/c"]),
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
