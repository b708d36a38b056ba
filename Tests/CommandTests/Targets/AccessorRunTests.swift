import Foundation
import Notation
import Support
import Testing

@Suite("emblem batch --accessors", .ownThreads)
struct AccessorRunTests {
    private static let both = ["--target", "xcassets=App,web=site", "--scale", "1", "--accessors"]
    /// Ids that try to leave a string or a comment, and ids that Swift reserves.
    private static let ids = [
        "acme", "acme-bank", "acme_bank", "acme.bank", "Type", "self", "String", "9 lives",
        #"x""; } import Darwin //"#, #"\(exit(1))"#, "*/ evil", "a\u{2028}b", "Bücher", "日本",
    ]

    private func folder() throws -> ScratchFolder {
        let folder = try TargetSet.folder()
        let rows = Self.ids.enumerated().map { number, id in
            "in/\(["one", "two", "three"][number % 3]).png,\"\(id)\"\n"
        }
        try folder.write("source,id\n" + rows.joined(), to: "list.csv")
        return folder
    }

    @Test("the generated Swift file compiles with code that uses it, for one and more layouts")
    func swift() throws {
        for (layouts, use) in [
            (
                "small,large",
                "[Emblems.acme.small, Emblems.acme__bank.large, Emblems._9_lives.small]"
            ),
            ("medium", "[Emblems.acme, Emblems.acme_bank, Emblems.`self`, Emblems.Bücher]"),
        ] {
            let folder = try folder()
            try TargetSet.run(Self.both + ["--layout", layouts], in: folder)
            // The name of "9 lives" is "9-lives".
            try folder.write("let names: [String] = \(use)\n", to: "use.swift")
            let ending = try Tool.run(
                "/usr/bin/env",
                ["swiftc", "-typecheck", "-swift-version", "6", "App/Emblems.swift", "use.swift"],
                in: folder.path)
            #expect(ending.status == 0, "\(ending.errors)")
            let text = try folder.text("App/Emblems.swift")
            let sets = folder.tree("App/Emblems.xcassets").filter {
                $0.hasSuffix(".imageset/Contents.json")
            }
            #expect(text.split(separator: "static let").count - 1 == sets.count)
            for set in sets {
                #expect(text.contains("= \"\(set.dropLast(".imageset/Contents.json".count))\"\n"))
            }
        }
    }

    @Test("the generated TypeScript file names the ids of index.json and describes its form")
    func typeScript() throws {
        let folder = try folder()
        try TargetSet.run(Self.both + ["--layout", "small", "--scheme", "both"], in: folder)
        let text = try folder.text("site/emblems.d.ts")
        // Escapes of the file are those of JSON, and no literal contains a line break.
        let parts = text.components(separatedBy: "export type EmblemID =\n")
        #expect(parts.count == 2)
        let named = try (parts.last ?? "").components(separatedBy: "\n").compactMap { line in
            guard line.hasPrefix("  | \"") else { return String?.none }
            return try JSONParser.parse(Array(line.dropFirst(4).utf8).span).stringValue
        }
        let items = try folder.json("site/index.json")["items"]?.elements ?? []
        #expect(items.count == Self.ids.count)
        #expect(named == items.compactMap { $0["id"]?.stringValue })
        let members = items.flatMap { item in
            let layouts = item["layouts"]?.members ?? []
            return (item.members ?? []).map(\.name)
                + layouts.flatMap { ($0.value.members ?? []).map(\.name) }
        }
        for member in Set(members) {
            #expect(
                text.contains("readonly \(member): ") || text.contains("readonly \(member)?: "))
        }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/tsc") else { return }
        try folder.write(
            """
            import type { EmblemID, EmblemIndex } from "./site/emblems";
            const id: EmblemID = "acme";
            declare const index: EmblemIndex;
            const path: string | undefined = index.items[0].layouts.small?.files?.png?.["1x"];
            // @ts-expect-error
            const wrong: EmblemID = "acmee";
            export { id, path, wrong };
            """, to: "use.ts")
        let ending = try Tool.run(
            "/usr/bin/tsc", ["--strict", "--noEmit", "--target", "es2020", "use.ts"],
            in: folder.path)
        #expect(ending.status == 0, "\(ending.output)")
    }

    @Test("a second run changes no accessor file, and verify and prune know it")
    func again() throws {
        let folder = try folder()
        let arguments = Self.both + ["--layout", "small"]
        try TargetSet.run(arguments, in: folder)
        let before = try TargetSet.stamps(folder)
        try TargetSet.run(arguments, in: folder)
        #expect(try TargetSet.stamps(folder) == before)
        for name in ["App/Emblems.swift", "site/emblems.d.ts"] {
            let text = try folder.text(name)
            try folder.write(text + "\n", to: name)
            #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 2)
            try TargetSet.run(arguments, in: folder)
            #expect(try folder.text(name) == text)
            #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
        }
        try TargetSet.run(arguments.dropLast(3) + ["--layout", "small", "--prune"], in: folder)
        #expect(!folder.exists("App/Emblems.swift") && !folder.exists("site/emblems.d.ts"))
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
    }

    @Test(
        "accessors are refused for targets that cannot have them",
        arguments: [
            (["--target", "android=res"], "Android's build makes constants"),
            ([], "A folder of files has no"),
            (["--target", "xcassets=App", "--share-target"], "one set"),
        ])
    func refusals(_ refused: (arguments: [String], hint: String)) throws {
        let folder = try TargetSet.folder()
        let ending = try TargetSet.run(refused.arguments + ["--accessors"], in: folder, status: 64)
        #expect(ending.errors.contains(refused.hint), "\(ending.errors)")
        #expect(!folder.exists("out") && !folder.exists("App"))
    }
}
