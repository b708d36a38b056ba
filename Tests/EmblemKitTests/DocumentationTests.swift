import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("The code in the documentation")
struct DocumentationTests {
    private static let root =
        "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")

    static func lines(of path: String) throws -> [String] {
        let bytes = TestFile.read("\(root)/\(path)")
        try #require(!bytes.isEmpty, "\(path) cannot be read")
        return String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    private static func files(_ folder: String, _ ending: String) -> [String] {
        FolderTree.files(below: "\(root)/\(folder)").filter { $0.hasSuffix(ending) }.sorted()
            .map { "\(folder)/\($0)" }
    }

    /// Returns the blocks of Swift code on a page or in the comments of a file.
    private static func blocks(in path: String) throws -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in try lines(of: path) {
            var line = line
            if path.hasSuffix(".swift") {
                let bare = line.drop { $0 == " " }
                guard bare.hasPrefix("///") else { continue }
                line = String(bare.dropFirst(bare.hasPrefix("/// ") ? 4 : 3))
            }
            if line.hasPrefix("```") {
                if let block { blocks.append(block) }
                block = line == "```swift" ? [] : nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    /// Returns whether `lines` contain `block`, with all its lines indented by the same distance.
    private static func isContained(_ block: [String], in lines: [String]) -> Bool {
        guard let first = block.first else { return false }
        return lines.indices.contains { start in
            guard lines[start].hasSuffix(first), start + block.count <= lines.count else {
                return false
            }
            let margin = lines[start].dropLast(first.count)
            guard margin.allSatisfy({ $0 == " " }) else { return false }
            return block.indices.allSatisfy { index in
                let wanted = block[index].isEmpty ? "" : margin + block[index]
                return lines[start + index] == wanted
            }
        }
    }

    @Test(
        "every Swift snippet of the documentation is in an example that is compiled, word for word")
    func snippets() throws {
        let examples = try Self.files("Tests/Examples", ".swift").map(Self.lines)
        let pages = Self.files("Sources/EmblemKit", ".md") + ["README.md"]
        var count = 0
        for path in pages + Self.files("Sources/EmblemKit", ".swift") {
            for block in try Self.blocks(in: path) {
                count += 1
                // Complete programs begin with imports; in the examples these are at the top of the
                // file.
                let code = Array(block.drop { $0.isEmpty || $0.hasPrefix("import ") })
                let isCompiled = examples.contains { Self.isContained(code, in: $0) }
                #expect(isCompiled, "\(path):\n\(block.joined(separator: "\n"))")
            }
        }
        #expect(count >= 10)
    }

    private func run(_ name: String, _ paths: [String]) throws -> [String] {
        let folder = try ScratchFolder()
        TestServers.nginx.publish(try TestPictures.png(60, 40), as: "kit-example.png")
        let ending = try Tool.run(
            Tool.path(of: "EmblemExamples"), [name, folder.path] + paths,
            environment: ["AUTHORITY": TestServers.authority])
        #expect(ending.status == 0, "\(ending.errors)")
        return ending.output.split(separator: "\n").map { String($0) }
    }

    private var logo: String { TestServers.nginx.url("files/kit-example.png") }
    private var none: String { TestServers.nginx.url("files/kit-none.png") }

    @Test("the documented example renders one emblem")
    func render() throws {
        #expect(try run("render", [logo]) == ["128 x 128", "false", "true"])
    }

    @Test("the documented example follows the phases of an emblem")
    func phases() throws {
        let lines = try run("phases", [logo, none])
        try #require(lines.count == 8)
        #expect(lines[0...2] == ["loading", "loaded 60 x 40", "loading"])
        #expect(lines[3].hasPrefix("failed: ") && lines[3].contains("404"))
        #expect(lines[4] == "loading" && lines[5].hasPrefix("failed: There is no URL"))
        #expect(lines[6...7] == ["no image", "60 pixels wide"])
    }

    @Test("the documented example renders many emblems at once")
    func batch() throws {
        let lines = try run("batch", [logo, none, logo]).sorted()
        #expect(
            lines == ["0 ok 40 80 64 128", "1 placeholder 40 80 64 128", "2 ok 40 80 64 128"])
    }

    @Test("the documented example of a caching loader with a folder runs")
    func cache() throws {
        // Without `allowPrivate`, a loader requests nothing from private addresses.
        let lines = try run("cache", [logo])
        #expect(lines.count == 3 && lines[1].contains("blocked_address") && lines[2] == "true")
    }

    @Test("the documented example of a custom caching loader asks the server once")
    func keeping() throws {
        let path = "logged/kit-example.png?keeping"
        let lines = try run("keeping", [TestServers.nginx.url(path)])
        #expect(lines.count == 6 && lines.filter { $0 == "loaded 60 x 40" }.count == 3)
        #expect(TestServers.nginx.requests(for: path).count == 1)
    }

    @Test("the documented loader with a token sends it to its own host only")
    func token() throws {
        let path = "locked/kit-example.png"
        let lines = try run(
            "token",
            [
                TestServers.nginx.secureURL(path),
                TestServers.nginx.secureURL(path, host: "127.0.0.1"),
            ])
        try #require(lines.count == 4)
        #expect(lines[1] == "loaded 60 x 40" && lines[3].contains("401"))
    }

    @Test("the documented loader asks a server for the size that is drawn")
    func scaling() throws {
        let path = "logged/kit-example.png?scaling"
        #expect(try run("scaling", [TestServers.nginx.url(path)]) == ["false"])
        #expect(TestServers.nginx.requests(for: path + "&w=128").count == 1)
    }

    @Test("the documented example of themes registers them and finds them in a folder")
    func themes() throws {
        let success = Theme.builtIn.colors.emblem(.success).background
        #expect(
            try run("theme", [])
                == ["#8A3B12", "night \(success.light.hex) \(success.dark.hex)"])
    }

    @Test("the documented example of components draws emblems, avatars, badges and shimmers")
    func components() throws {
        let lines = try run("components", [logo])
        #expect(
            lines.prefix(2) == ["true", "initials(\"AL\")"], "\(lines)")
        #expect(lines.dropFirst(2).first?.hasPrefix("badge.png ") == true)
        #expect(
            lines.dropFirst(3).prefix(4) == [
                "emblem.webp 240 240", "emblem.svg 80 80", "avatar.png 160 160",
                "shimmer.webp 128 128",
            ])
        #expect(lines.dropFirst(7).prefix(4) == ["48", "48", "48", "48"])
        // A logo with a ground of its own is the same in both schemes; a placeholder is not.
        #expect(Set(lines.dropFirst(11).prefix(2)) == ["0 false", "1 true"])
        #expect(lines.last?.hasPrefix("12.0 12.0 ") == true)
    }

    @Test("the documented example of state views draws ready-made and custom views")
    func states() throws {
        #expect(
            try run("states", []) == [
                "again", "720", "8.0", "40.0 Size(width: 96.0, height: 96.0)", "true", "true true",
                "unblocked", "true",
            ])
    }

    @Test("the documented server of tenants draws themes, items and avatars")
    func tenants() throws {
        let lines = try run("tenants", [logo])
        try #require(lines.count == 5, "\(lines)")
        #expect(lines[0] == "128 false")
        #expect(lines.contains { $0.hasPrefix("acme ok ") && $0.hasSuffix(" of 2") })
        #expect(lines.contains { $0.hasPrefix("gone placeholder ") })
        #expect(lines.contains("1 of 1 placeholder [24, 80]") && lines.contains("64.0"))
    }

    @Test("the documented example of serving sends types and tags, and ends without listeners")
    func serving() throws {
        let lines = try run("serving", [logo])
        #expect(
            lines == [
                "200 image/png 128", "304 true 0", "200 image/webp true", "406", "404",
                "nobody listens",
            ])
    }

    @Test("the first program draws the documented image")
    func quickStart() throws {
        let folder = try ScratchFolder()
        let ending = try Tool.run(
            Tool.path(of: "EmblemExamples"), ["quick-start", folder.path], in: folder.path)
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.hasPrefix("a placeholder: "), "\(ending.output)")
        #expect(try Image(blockingData: TestFile.read(folder.path("acme.png"))).width == 128)
    }

    private static func numbers(_ line: String) -> [Int] {
        line.split { !$0.isNumber }.compactMap { Int($0) }
    }

    @Test("the documented example of isolation names what confines a worker")
    func isolation() throws {
        let lines = try run("isolation", [])
        #expect(lines.count == 1)
        // Whether Landlock, for example, follows depends on the kernel.
        #expect(lines[0].hasPrefix("process, seccomp"), "\(lines)")
    }

    @Test("two hundred cancellations at any moment leak no descriptor and no thread")
    func cancelling() throws {
        let urls = (0..<12).map { "\(logo)?\($0)" }
        let lines = try run("cancelling", urls)
        try #require(lines.count == 2)
        let (before, after) = (Self.numbers(lines[0]), Self.numbers(lines[1]))
        try #require(before.count == 2 && after.count == 2)
        // Workers start and end, with a few descriptors each. A leak would add one descriptor per
        // cancelled load.
        for (one, other) in zip(before, after) { #expect(abs(one - other) <= 24, "\(lines)") }
    }
}
