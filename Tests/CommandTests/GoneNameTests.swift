import EmblemCLI
import Flags
import Notation
import Support
import Testing

/// Names of earlier versions, typed at a terminal and in `emblem.json`.
@Suite("Gone names", .ownThreads)
struct GoneNameTests {
    private static let tool = CommandLineTool.tool
    /// Every eighth row, so that each list of the table has a few.
    private static let rows = GoneNames.rows.enumerated().filter { $0.offset % 8 == 0 }
        .map(\.element)

    @Test("no gone name is declared")
    func undeclared() {
        let declared = GoneNames.rows.map(\.name).filter(Self.isDeclared)
        #expect(declared.isEmpty, "\(declared)")
    }

    @Test("a gone name ends with 64 and says what to use instead", arguments: rows)
    func refused(name: String, instead: String) throws {
        Self.expect(try Tool.emblem(Self.line(with: name)), contains: "is gone; \(instead).")
    }

    @Test(
        "a gone option in emblem.json ends with 64 and says what to use instead",
        arguments: rows.filter { !$0.name.contains(" ") && $0.name.hasPrefix("--") })
    func refusedInConfiguration(name: String, instead: String) throws {
        let folder = try ScratchFolder()
        try folder.write("{\"\(name.dropFirst(2))\": \"1\"}", to: "emblem.json")
        let ending = try Tool.emblem(["batch", "x.png", "-o", "out"], in: folder.path)
        Self.expect(ending, contains: "\(name) is gone; \(instead).")
    }

    @Test("looks of one's own in emblem.json are refused")
    func ownLooks() throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"looks": {"shop": {"padding": "10%"}}}"#, to: "emblem.json")
        let ending = try Tool.emblem(["batch", "x.png", "-o", "out"], in: folder.path)
        Self.expect(ending, contains: "emblem.json line 1, \"looks\": looks is gone; ")
    }

    private static func expect(_ ending: Tool.Ending, contains text: String) {
        #expect(ending.status == 64 && ending.errors.contains(text), "\(ending)")
        #expect(ending.errors.split(separator: "\n").count == 1, "\(ending)")
    }

    /// Returns a command line that has this name.
    private static func line(with name: String) -> [String] {
        if name.hasSuffix(":") { return ["batch", "\(name)//example.com/a.png", "-o", "out"] }
        let words = name.split(separator: " ").map(String.init)
        guard let place = words.firstIndex(where: { $0.hasPrefix("-") }) else { return words }
        var option = Array(words[place...])
        if option[0] == "--columns" { option[1] += "=x" }
        if option.last == "N" { option[1] = "120" }
        return place == 0 ? ["batch", "x", "-o", "out"] + option : words[..<place] + option
    }

    /// Returns whether a command, an option or a value of this name still exists.
    private static func isDeclared(_ name: String) -> Bool {
        let words = name.split(separator: " ").map(String.init)
        guard let place = words.firstIndex(where: { $0.hasPrefix("-") }) else {
            return tool.command(name) != nil || tool.families.contains(name)
        }
        let command = words[..<place].joined(separator: " ")
        let flags = tool.commands.filter { place == 0 || $0.name == command }.flatMap(\.flags)
            .filter { $0.spellings.contains(words[place]) }
        guard place + 1 < words.count else { return !flags.isEmpty }
        let value = words[place + 1]
        return flags.contains { flag in
            (flag.shape.words + flag.shape.offers).contains { $0 == value || $0 == "\(value)=" }
        }
    }
}
