import Foundation
import Support
import Testing

@Suite("The documentation of targets", .ownThreads)
struct DocumentedTargetTests {
    private static let pages = Repository.root.appending(
        path: "Sources/EmblemKit/EmblemKit.docc")

    @Test("the pages about targets show commands that work as printed")
    func commands() throws {
        let names = ["Targets", "AppleApps", "AndroidApps", "WebSites"]
        let commands = try names.flatMap { name in
            try String(contentsOf: Self.pages.appending(path: "\(name).md"), encoding: .utf8)
                .split(separator: "\n").filter { $0.hasPrefix("emblem batch ") }
        }
        #expect(commands.count == 5)
        let folder = try TargetSet.folder()
        try folder.write("source,id\nin/one.png,acme\nin/two.png,b\n", to: "brands.csv")
        for command in commands {
            let words = command.split(separator: " ").dropFirst().map(String.init)
            let ending = try Tool.emblem(words + ["--quiet"], in: folder.path)
            #expect(ending.status == 0, "\(command): \(ending.errors)")
            let out = try #require(words.firstIndex(of: "-o").map { words[$0 + 1] })
            #expect(try Tool.emblem(["verify", out], in: folder.path).status == 0)
        }
        for name in [
            "Sources/App/Emblems.xcassets/acme/large.imageset/large~dark@3x.png",
            "app/src/main/res/drawable-xxhdpi/emblem_acme_medium.webp", "site/snippets.html",
        ] {
            #expect(folder.exists(name), "\(name)")
        }
    }
}
