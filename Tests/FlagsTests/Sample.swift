import Flags
import Notation

/// A small tool with one option of every kind.
enum Sample {
    static let paint = Command(
        "paint", summary: "put colour on walls",
        discussion: "First paragraph.\n\nSecond paragraph.",
        operands: Command.Operands("[WALL…]", count: 0...3, help: "Walls to paint."),
        flags: [
            Flag(
                "output", short: "o", .folder, "DIR", group: "Where", help: "Folder for the result."
            ),
            Flag("sketch", .file, "FILE", group: "Where", help: "Drawing to follow."),
            Flag(
                "coat", .choice(["matt", "gloss"]), "COAT", fallback: .value("matt"), group: "How",
                help: "Finish of the paint."),
            Flag(
                "room", .choices(["hall", "attic", "cellar"], all: true), "LIST",
                fallback: .value("all"), group: "How", help: "Rooms to do."),
            Flag(
                "zoom", .scales(["1", "1.5", "2"]), "LIST", fallback: .value("1"), group: "How",
                help: "Scales."),
            Flag(
                "jobs", short: "j", .whole(1...64), "N", fallback: .described("cores"),
                group: "How",
                help:
                    "Painters at work at once, of whom there can be as many as fit into the room together."
            ),
            Flag(
                "memory", .bytes(1024...Int.max), "BYTES", fallback: .value("512M"), group: "How",
                help: "Paint in store."),
            Flag("drops", .count(1...Int.max), "N", group: "How", help: "Drops allowed."),
            Flag("margin", .decimal(0...10), "PT", group: "How", help: "Free edge."),
            Flag("quality", .quality, "Q", group: "How", help: "How well."),
            Flag("tone", .color, "COLOR", group: "How", help: "The colour's tone: [warm] or cold."),
            Flag("shard", .shard, "I/N", group: "How", help: "Part of the wall."),
            Flag("misses", .tolerance, "N|P%", group: "How", help: "Holes allowed."),
            Flag(
                "note", .text, "TEXT", group: "How", isRepeatable: true,
                help: "A word to the painter."),
            Flag("linear", .toggle, group: "How", isNegatable: true, help: "Straight strokes."),
            Flag("quiet", short: "q", .toggle, group: "How", help: "No singing."),
            Flag(
                "dry-run", .toggle, group: "How", isInEnvironment: false, isInConfiguration: false,
                help: "Only pretend."),
        ],
        examples: [Command.Example("artist paint hall -o out", "Paint the hall:")])

    static let tool = Tool(
        name: "artist", version: "1.2", summary: "paints houses",
        commands: [
            paint,
            Command(
                "shop list", summary: "list what to buy",
                flags: [Flag("json", .toggle, group: "Output", help: "Write JSON.")]),
            Command(
                "shop buy", summary: "buy it",
                operands: Command.Operands(
                    "THING", count: 1...1, words: ["brush", "bucket"], help: "What."),
                readsSettings: false),
        ],
        keptFromConfiguration: ["secret"])

    static func parse(
        _ arguments: [String], environment: [String: String] = [:], json: String? = nil
    ) throws(UsageError) -> ParsedArguments {
        let (command, rest) = try tool.split(arguments)
        var configuration: ConfigurationFile?
        if let json { configuration = try file(json) }
        return try ParsedArguments(
            tool, command, arguments: rest, environment: environment, configuration: configuration)
    }

    static func file(_ json: String) throws(UsageError) -> ConfigurationFile {
        try ConfigurationFile(name: "artist.json", Array(json.utf8).span)
    }

    /// What is said about a line that cannot be carried out.
    static func complaint(
        _ arguments: [String], environment: [String: String] = [:], json: String? = nil
    ) -> String? {
        do throws(UsageError) {
            _ = try parse(arguments, environment: environment, json: json)
            return nil
        } catch {
            return error.description
        }
    }
}
