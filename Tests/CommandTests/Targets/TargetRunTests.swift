import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("Runs with several targets", .ownThreads)
struct TargetRunTests {
    private static let all = [
        "--target", "files,xcassets=App/Assets,android=res,web=out/site", "--scheme", "both",
        "--layout", "small,medium",
    ]

    @Test(
        "one manifest names all targets, and equal pictures have equal bytes")
    func onePlan() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(Self.all, in: folder)
        let manifest = try ManifestText(folder)
        let item = try #require(manifest.items.first)
        let outputs = item["outputs"]?.elements ?? []
        var byTarget: [String: [JSON]] = [:]
        for output in outputs {
            byTarget[output["target"]?.stringValue ?? "files", default: []].append(output)
        }
        // Two layouts in two schemes make four images. The targets have one, three, five and
        // three scales (the last in three formats).
        #expect(
            byTarget.mapValues(\.count) == [
                "files": 4, "xcassets": 12, "android": 20, "web": 36,
            ])
        func digest(_ target: String, _ layout: String, _ scale: Double, _ end: String) -> String? {
            byTarget[target]?.first {
                $0["layout"]?.stringValue == layout && $0["scale"]?.doubleValue == scale
                    && $0["scheme"]?.stringValue == "light"
                    && $0["path"]?.stringValue?.hasSuffix(end) == true
            }?["sha256"]?.stringValue
        }
        let one = digest("files", "medium", 1, "png")
        #expect(one != nil && one == digest("xcassets", "medium", 1, "png"))
        #expect(one == digest("web", "medium", 1, "png"))
        #expect(digest("android", "medium", 3, "webp") == digest("web", "medium", 3, "webp"))
        // Paths are relative to OUT, except those of outside folders.
        for output in outputs {
            let path = output["path"]?.stringValue ?? ""
            let isElsewhere = output["elsewhere"]?.boolValue == true
            let home = output["target"]?.stringValue == "android" ? "res" : "App/Assets"
            #expect(folder.exists(isElsewhere ? "\(home)/\(path)" : "out/\(path)"), "\(path)")
        }
        #expect(folder.exists("out/site/index.json"))
        let verify = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(verify.status == 0, "\(verify.output)")
    }

    @Test("a repeated run with targets changes no file and restores removed or changed files")
    func again() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(Self.all, in: folder)
        let before = try TargetSet.stamps(folder)
        try TargetSet.run(Self.all, in: folder)
        #expect(try TargetSet.stamps(folder) == before)
        let harmed = [
            "App/Assets/Emblems.xcassets/Bücher/Contents.json",
            "App/Assets/Emblems.xcassets/Bücher/small.imageset/Contents.json",
            "App/Assets/Emblems.xcassets/Bücher/small.imageset/small@2x.png",
            "res/values/emblem_colors.xml", "out/site/index.json", "out/site/emblem.css",
        ]
        let bytes = try harmed.map { try folder.read($0) }
        for (number, name) in harmed.enumerated() {
            if number.isMultiple(of: 2) {
                folder.remove(name)
            } else {
                try folder.write("other", to: name)
            }
        }
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 2)
        try TargetSet.run(Self.all, in: folder)
        #expect(try harmed.map { try folder.read($0) } == bytes)
        let after = try TargetSet.stamps(folder)
        let changed = Set(after.filter { before[$0.key] != $0.value }.keys)
        #expect(changed.isSuperset(of: harmed))
        // All images of the item whose image was missing are written again, and no others.
        let others = changed.subtracting(harmed).filter {
            !$0.contains("Bücher") && !$0.contains("b_cher")
        }
        #expect(others.isSubset(of: ["out/manifest.ndjson"]), "\(others)")
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
    }

    @Test("a repeated run keeps every output name of its target")
    func standingNames() throws {
        let folder = try ScratchFolder()
        for (name, width) in [("a-b", 20), ("a_b", 21), ("A b", 22), ("a/b", 23)] {
            try folder.write(
                try Pictures.disc(.black, width: width, height: 20), to: "in/\(name).png")
        }
        let batch = ["batch", "in", "-o", "out", "--target", "android", "--layout", "small"]
        #expect(try Tool.emblem(batch, in: folder.path).status == 0)
        let again = try Tool.emblem(batch, in: folder.path)
        #expect(again.errors.contains("4 items unchanged (reused)"), "\(again.errors)")
        #expect(!again.errors.contains("no longer produced"), "\(again.errors)")
    }

    @Test("a changed source updates only its own outputs")
    func oneChanged() throws {
        let folder = try TargetSet.folder()
        let arguments = ["--target", "xcassets", "--layout", "small"]
        try TargetSet.run(arguments, in: folder)
        let before = try TargetSet.stamps(folder)
        try folder.write(Pictures.disc(.black, width: 50, height: 50), to: "in/one.png")
        try TargetSet.run(arguments, in: folder)
        let after = try TargetSet.stamps(folder)
        let changed = after.filter { before[$0.key] != $0.value }.keys.filter {
            $0.hasPrefix("out/")
        }
        let set = "out/xcassets/Emblems.xcassets/acme-bank.imageset/acme-bank"
        #expect(
            changed.sorted() == [
                "out/manifest.ndjson", "\(set).png", "\(set)@2x.png", "\(set)@3x.png",
            ])
    }

    @Test("a run with targets killed at any of 20 moments is resumed to the same result")
    func kills() async throws {
        let script = Repository.path("Benchmarks/Proof/kill-and-resume.py")
        let folder = try ScratchFolder()
        for number in 0..<40 {
            try folder.write(
                Pictures.disc(.black, width: 24 + number, height: 24), to: "in/\(number).png")
        }
        let seed = ProcessInfo.processInfo.environment["EMBLEM_SEED"]
        let proof = try await apart {
            try Tool.run(
                "/usr/bin/python3",
                [
                    script, Tool.path(of: "emblem"), "in", "scratch", "--kills", "20", "--workers",
                    "0", "--stops", "0", "--layout", "small", "--target",
                    "files,xcassets,android,web", "--format", "png",
                ], in: folder.path, environment: seed.map { ["EMBLEM_SEED": $0] } ?? [:])
        }
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        #expect(proof.output.contains("kills: 20 SIGKILL"), "\(proof.output)")
    }

    @Test("a run does not use its own target pictures as sources later")
    func ownPictures() throws {
        let folder = try TargetSet.folder()
        for _ in 0..<2 {
            let run = try Tool.emblem(
                ["batch", "in", "-o", "out", "--quiet", "--target", "xcassets=in/ios"],
                in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(try ManifestText(folder).items.count == 3)
    }

    @Test("a dry run names every target file and writes none")
    func dryRun() throws {
        let folder = try TargetSet.folder()
        let arguments = [
            "--target", "files,xcassets=App,android", "--layout", "small", "--scheme", "both",
        ]
        let said = try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", "out", "--dry-run"] + arguments,
            in: folder.path
        ).output
        #expect(!folder.exists("out") && !folder.exists("App"))
        try TargetSet.run(arguments, in: folder)
        let lines = Set(said.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        let pictures =
            folder.tree("out").filter { $0.hasSuffix(".png") || $0.hasSuffix(".webp") }
            + folder.tree("App").filter { $0.hasSuffix(".png") }.map { "App/\($0)" }
        #expect(pictures.count == 7 * (2 + 6 + 10))
        for name in pictures { #expect(lines.contains(name), "\(name)") }
        #expect(lines.contains("for all items: android/values/emblem_colors.xml"))
    }

    @Test("several formats are one run: each file once, the manifest naming all")
    func severalFormats() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(
            ["--format", "avif,webp,png", "--scale", "1,2", "--layout", "small"], in: folder)
        #expect(
            folder.names(in: "out/small").filter { $0.hasPrefix("Bücher") } == [
                "Bücher.avif", "Bücher.png", "Bücher.webp", "Bücher@2x.avif", "Bücher@2x.png",
                "Bücher@2x.webp",
            ])
        try TargetSet.run(
            [
                "--format", "png", "--scale", "1,2", "--layout", "small", "--name",
                "one/{id}{@scale}.{ext}",
            ], in: folder)
        #expect(try folder.read("out/small/Bücher@2x.png") == folder.read("out/one/Bücher@2x.png"))
        let options = try ManifestText(folder).lines.first?["options"]
        #expect(options?["format"]?.stringValue == "png")
    }

    @Test("a dropped target is pruned later as well, and kept files are reported")
    func dropped() throws {
        let folder = try TargetSet.folder()
        let plain = ["--layout", "small"]
        try TargetSet.run(plain + ["--target", "files,xcassets,web,android=res"], in: folder)
        try TargetSet.run(plain, in: folder)
        func said(_ more: String...) throws -> String {
            try Tool.emblem(
                ["batch", "--list", "list.csv", "-o", "out"] + plain + more, in: folder.path
            ).errors
        }
        let counted = try said()
        #expect(counted.contains("files of earlier runs are no longer produced"))
        #expect(
            counted.contains(
                "Kept 35 pictures of earlier runs in folders that this run does not use"))
        let pruned = try said("--prune=100%")
        let standing = folder.tree("out").filter {
            ["web/", "xcassets/"].contains(where: $0.hasPrefix)
        }
        #expect(standing.isEmpty, "\(standing)")
        func count(_ text: String) -> Substring? {
            text.firstMatch(of: /([0-9,]+) files? of earlier runs/)?.1
        }
        #expect(count(counted) != nil && count(counted) == count(pruned))
        #expect(folder.tree("res").filter { $0.hasSuffix(".webp") }.count == 35)
        #expect(try !said().contains("earlier runs"))
        let check = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(check.status == 0 && !check.output.contains("no manifest"), "\(check.output)")
    }

    @Test("targets accept names that collide with a folder or its files")
    func meetingNames() throws {
        let folder = try TargetSet.folder()
        let disc = try Pictures.disc(.black, width: 20, height: 20)
        for name in ["a.png", "a/png.png", "b.jpg", "b.png/x.png"] {
            try folder.write(disc, to: "meet/\(name)")
        }
        for target in ["files", "web", "xcassets"] {
            let run = try Tool.emblem(
                ["batch", "meet", "-o", "m-\(target)", "--target", target, "--layout", "medium"],
                in: folder.path)
            #expect(run.status == 0 && run.errors.contains(" 0 failed)."), "\(run.errors)")
        }
        try folder.write(
            ["Contents.json", "contents.json", "manifest.ndjson", "run.json", "report.html"].map {
                "in/one.png,\($0)\n"
            }.reduce("source,id\n", +), to: "names.csv")
        for target in ["xcassets=out", "web=out"] {
            let run = try Tool.emblem(
                [
                    "batch", "--list", "names.csv", "-o", "out", "--target", target, "--report",
                    "--force",
                ],
                in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
            folder.remove("out")
        }
        let own = try Tool.emblem(
            ["batch", "in", "-o", "out", "--target", "web=out/.emblem/x"], in: folder.path)
        #expect(own.status == 64 && own.errors.contains("the state of the output folder"))
    }

    @Test("a moved target is reported with its old place, and a refused run is not recorded")
    func moved() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(["--target", "android=one", "--layout", "small"], in: folder)
        let refused = try Tool.emblem(
            [
                "batch", "--list", "list.csv", "-o", "out", "--target", "android=three",
                "--component",
                "avatar",
            ], in: folder.path)
        #expect(refused.status == 64)
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
        let moved = try Tool.emblem(
            [
                "batch", "--list", "list.csv", "-o", "out", "--target", "android=two", "--layout",
                "small",
            ],
            in: folder.path)
        #expect(moved.status == 0)
        #expect(
            moved.errors.contains("/one before; its files stay there"), "\(moved.errors)")
    }

    @Test("a run with targets needs few descriptors for any number of colours")
    func descriptors() throws {
        let folder = try TargetSet.folder()
        let run = try Tool.run(
            "/bin/sh",
            [
                "-c",
                "ulimit -n 64; exec \"$TOOL\" batch --list list.csv -o out --target xcassets -q",
            ], in: folder.path, environment: ["TOOL": Tool.path(of: "emblem")])
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.tree("out").count { $0.contains(".colorset") } > 20)
    }
}
