import Digest
import Foundation
import Notation
import Raster
import Support
import Testing

/// Checks the format of each target with independent programs.
@Suite("emblem batch --target", .ownThreads)
struct TargetFormTests {
    @Test("an asset catalog matches one of Xcode, entry by entry, in light and dark")
    func assetCatalog() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(["--target", "xcassets=App", "--scheme", "both"], in: folder)
        let said = try TargetSet.check(
            "asset_catalog", ["App/Emblems.xcassets", "--dark"], in: folder)
        // Seven sets of files, four layouts, three scales, two schemes.
        #expect(said.hasPrefix("sets 28 images 168 colors "))
        #expect(folder.exists("App/Emblems.xcassets/Bücher/xLarge.imageset/xLarge~dark@3x.png"))
    }

    @Test("an item with one layout has its own image set, unless its row asks for more")
    func oneLayout() throws {
        let folder = try TargetSet.folder()
        try folder.write(
            "source,id,layout\nin/one.png,a,\nin/two.png,b,\"small,large\"\nin/two.png,c.imageset,\n",
            to: "list.csv")
        try TargetSet.run(
            ["--target", "xcassets", "--layout", "medium", "--format", "jpg"], in: folder)
        let catalog = "out/xcassets/Emblems.xcassets"
        #expect(
            try TargetSet.check("asset_catalog", [catalog], in: folder).hasPrefix(
                "sets 4 images 12 "))
        #expect(folder.exists("\(catalog)/a.imageset/a@2x.jpg"))
        #expect(folder.exists("\(catalog)/b/small.imageset/small.jpg"))
        // An ending .imageset in the name would make a folder an image set, so it gets an
        // underscore.
        #expect(folder.exists("\(catalog)/c.imageset_.imageset/c.imageset_@3x.jpg"))
    }

    @Test("an omitted scale has an empty entry, as in Xcode")
    func emptyPlaces() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(["--target", "xcassets", "--scale", "2"], in: folder)
        let catalog = "out/xcassets/Emblems.xcassets"
        #expect(
            try TargetSet.check("asset_catalog", [catalog], in: folder).hasPrefix(
                "sets 28 images 28 "))
        let images = try folder.json("\(catalog)/Bücher/small.imageset/Contents.json")["images"]
        #expect(
            images?.elements?.map { $0["filename"]?.stringValue } == [nil, "small@2x.png", nil])
    }

    @Test(
        "Android resources have legal names, and aapt2 keeps each density, night value and colour")
    func android() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(["--target", "android=res", "--scheme", "both"], in: folder)
        let said = try TargetSet.check("resources", ["res", "--night"], in: folder)
        #expect(said.hasPrefix("drawables 280 resources 28 "))
        let names = Set(
            folder.names(in: "res/drawable-xxhdpi").compactMap { name in
                name.hasSuffix("_medium.webp") ? String(name.dropLast(12)) : nil
            })
        // Colliding names get the first digits of their sources' hashes, in any order.
        #expect(names.contains("emblem_b_cher") && names.contains("emblem_9_lives"))
        #expect(names.count { $0.wholeMatch(of: /emblem_acme_bank_[0-9a-f]{8}/) != nil } == 2)
        #expect(names.count { $0.wholeMatch(of: /emblem_item_[0-9a-f]{8}/) != nil } == 2)
        try folder.write(
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="a.b"/>
            """, to: "AndroidManifest.xml")
        for arguments in [
            ["compile", "--dir", "res", "-o", "compiled.zip"],
            ["link", "-o", "out.apk", "--manifest", "AndroidManifest.xml", "compiled.zip"],
        ] {
            let ending = try Tool.run("/usr/bin/aapt2", arguments, in: folder.path)
            #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        }
        let compiled = try TargetSet.check(
            "resources", ["res", "--night", "--apk", "out.apk"], in: folder)
        #expect(compiled == said)
        let colors = try folder.text("res/values/emblem_colors.xml")
        #expect(colors.contains("\"emblem_brand_background\""))
        let dimensions = try folder.text("res/values/emblem_dimens.xml")
        #expect(dimensions.contains("\"emblem_medium_radius\""))
    }

    @Test("avatar targets have their own resource names")
    func avatars() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(
            ["--component", "avatar", "--target", "android=res,xcassets", "--format", "png"],
            in: folder)
        // The row that shares the source of another row has other initials, so it has separate
        // files.
        let said = try TargetSet.check("resources", ["res"], in: folder)
        #expect(said.hasPrefix("drawables 160 resources 32 "))
        #expect(folder.exists("res/drawable-hdpi/avatar_9_lives_default.png"))
        #expect(
            try TargetSet.check("asset_catalog", ["out/xcassets/Emblems.xcassets"], in: folder)
                .hasPrefix("sets 32 "))
    }

    @Test(
        "a web page shows every picture in the best format at its size",
        arguments: [
            (dark: false, scale: 1), (dark: true, scale: 2),
        ])
    func page(dark: Bool, scale: Int) throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(
            ["--target", "web=site", "--scheme", "both", "--layout", "medium,large"], in: folder)
        let report = try TargetSet.report(
            "page", ["site", "--scale", "\(scale)"] + (dark ? ["--dark"] : []), in: folder)
        for name in ["faults", "console", "missing"] {
            #expect(report[name]?.elements?.isEmpty == true, "\(report[name]?.text ?? "")")
        }
        #expect(report["dark"]?.boolValue == dark)
        let pictures = report["pictures"]?.elements ?? []
        #expect(pictures.count == TargetSet.count * 2)
        let index = try folder.json("site/index.json")["items"]?.elements ?? []
        for (number, picture) in pictures.enumerated() {
            let layout = number.isMultiple(of: 2) ? "medium" : "large"
            let side = layout == "medium" ? 48 : 64
            let source = picture["source"]?.stringValue?.removingPercentEncoding ?? ""
            let files = index[number / 2]["layouts"]?[layout]?[dark ? "dark" : "files"]
            #expect(files?["avif"]?["\(scale)x"]?.stringValue == source)
            #expect(picture["declared"]?.text == "[\(side),\(side)]")
            #expect(picture["shown"]?.text == "[\(side),\(side)]")
            #expect(picture["radius"]?.stringValue == (layout == "medium" ? "12px" : "16px"))
            #expect(picture["alt"]?.stringValue == index[number / 2]["alt"]?.stringValue)
            // AVIF, WebP, and PNG as the fallback.
            let types: [String] = (picture["sources"]?.elements ?? []).map(\.text)
            #expect(
                types == [
                    #"["image/avif","(prefers-color-scheme: dark)"]"#,
                    #"["image/webp","(prefers-color-scheme: dark)"]"#,
                    #"["image/png","(prefers-color-scheme: dark)"]"#,
                    #"["image/avif",""]"#, #"["image/webp",""]"#,
                ])
        }
        #expect(pictures.first?["alt"]?.stringValue == #"Acme & Sons "Bank""#)
    }

    @Test("every file of a web index exists, and its name contains its hash")
    func webIndex() throws {
        let folder = try TargetSet.folder()
        try TargetSet.run(["--target", "web"], in: folder)
        let items = try folder.json("out/web/index.json")["items"]?.elements ?? []
        #expect(items.count == TargetSet.count)
        var named: Set<String> = []
        for item in items {
            #expect(item["thumbhash"] != nil || item["status"]?.stringValue == "placeholder")
            for layout in item["layouts"]?.members ?? [] {
                named.formUnion(try files(of: layout.value["files"], in: folder))
            }
        }
        let about: Set = ["index.json", "emblem.css", "snippets.html"]
        #expect(Set(folder.tree("out/web")) == named.union(about))
    }

    /// Returns the files of a layout, in three formats at three scales.
    private func files(of layout: JSON?, in folder: ScratchFolder) throws -> [String] {
        let formats = layout?.members ?? []
        #expect(formats.map { $0.name } == ["avif", "webp", "png"])
        var paths: [String] = []
        for format in formats {
            let members = format.value.members ?? []
            #expect(members.map { $0.name } == ["1x", "2x", "3x"])
            for member in members {
                let path = member.value.stringValue ?? ""
                let bytes = try folder.read("out/web/\(path)")
                let digest = String(SHA256.hash(bytes.span).hex.prefix(8))
                #expect(path.hasSuffix("-\(digest).\(format.name)"))
                paths.append(path)
            }
        }
        return paths
    }
}
