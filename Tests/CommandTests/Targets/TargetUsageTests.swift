import Notation
import Support
import Testing

@Suite("Errors of --target and verify", .ownThreads)
struct TargetUsageTests {
    @Test(
        "an option that a target cannot have is refused early with a correction",
        arguments: [
            (["--target", "xcasset"], "Did you mean 'xcassets'?"),
            (["--target", "tape"], "Use files, xcassets, android, web"),
            (["--target", "xcassets", "--format", "webp"], "Use png, jpeg"),
            (["--target", "android", "--format", "avif"], "Use webp, png, jpeg"),
            (["--target", "android", "--format", "png,webp"], "supports one format only"),
            (["--target", "xcassets", "--format", "png,jpeg"], "supports one format only"),
            (["--target", "web", "--format", "same"], "Name the format"),
            (["--target", "files,xcassets", "--scale", "1.5"], "Use 1, 2, 3"),
            (["--target", "web", "--name", "{id}.{ext}"], "Remove --name"),
            (["--target", "web,web"], "given twice"),
            (["--target", "web=x,files=./x/"], "would write into the same folder"),
            (["--target", "web=x", "--target", "android=x/y"], "would write into the same folder"),
            (["--target", "web=", "--layout", "small"], "needs a folder"),
            (["--format", "same,png"], "Remove it, or remove the other"),
            (["--format", "jpeg,png", "--quality", "lossless"], "JPEG cannot be lossless"),
            (["--format", "png,webp", "--name", "{id}/{layout}"], "{ext}"),
            (["--name", "{layout}/{id}.jpg"], "end it with .{ext}, or use --format jpeg"),
            (["--format", "same", "--name", "{layout}/{id}.png"], "end it with .{ext}"),
        ])
    func refusals(_ refused: (arguments: [String], hint: String)) throws {
        let folder = try TargetSet.folder()
        let ending = try TargetSet.run(refused.arguments, in: folder, status: 64)
        #expect(ending.errors.contains(refused.hint), "\(ending.errors)")
        #expect(!folder.exists("out") && !folder.exists("x"))
    }

    @Test("verify checks a target folder next to OUT, and reads no unmarked folder")
    func elsewhere() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(["--target", "xcassets=App", "--layout", "small"], in: folder)
        let picture = "App/Emblems.xcassets/Bücher.imageset/Bücher@2x.png"
        let bytes = try folder.read(picture)
        try folder.write(bytes.map { $0 ^ 1 }, to: picture)
        var verify = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(verify.status == 2 && verify.output.contains("Bücher@2x.png: content"))
        try folder.write(bytes, to: picture)
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
        // A folder without its own note is not read, even if the note in OUT names it.
        let note = try folder.text("out/.emblem/targets.json")
        _ = try Tool.run("/bin/cp", ["-r", "App/Emblems.xcassets", "other"], in: folder.path)
        try folder.write(
            note.replacing("\(folder.path)/App", with: "\(folder.path)/other"),
            to: "out/.emblem/targets.json")
        verify = try Tool.emblem(["verify", "out", "--json"], in: folder.path)
        #expect(verify.status == 2)
        let said = Array(verify.output.utf8)
        let mismatches = try JSONParser.parse(said.span)["mismatches"]
        #expect(mismatches?.elements?.count == 1, "\(verify.output)")
        // The next run writes to the folder that its command line names.
        let word = try folder.read("App/.emblem/target.json")
        try TargetSet.run(["--target", "xcassets=App", "--layout", "small"], in: folder)
        #expect(try folder.text("out/.emblem/targets.json") == note)
        #expect(try folder.read("App/.emblem/target.json") == word)
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
    }

    @Test("two runs cannot write to one target folder at the same time")
    func held() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(["--target", "web=site", "--layout", "small"], in: folder)
        let ending = try Tool.run(
            "/usr/bin/flock",
            [
                "site/.emblem/lock", Tool.path(of: "emblem"), "batch", "--list", "list.csv", "-o",
                "second", "--target", "web=site", "--quiet",
            ], in: folder.path)
        #expect(ending.status == 75, "\(ending.errors)")
    }
}
