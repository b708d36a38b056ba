import Flags
import Notation

/// A small tool with one option of every kind.
enum Sample {
    static let output = FlagKey<String?>(
        "output", short: "o", .folder, "DIR", group: "Where", help: "Folder for the result.")
    static let sketch = FlagKey<String?>(
        "sketch", .file, "FILE", group: "Where", help: "Drawing to follow.")
    static let coat = FlagKey<String>(
        "coat", .word(["matt", "gloss"]), "COAT", usual: "matt", group: "How",
        help: "Finish of the paint.")
    static let room = FlagKey<[String]>(
        "room", .words(["hall", "attic", "cellar"]), "LIST", usual: ["hall", "attic", "cellar"],
        group: "How", help: "Rooms to do.")
    static let zoom = FlagKey<[Double]>(
        "zoom", .factors([1, 1.5, 2]), "LIST", usual: [1], group: "How", help: "Scales.")
    static let jobs = FlagKey<Int?>(
        "jobs", short: "j", .whole(1...64), "N", described: "cores", group: "Advanced",
        help: "Painters at work at once.\n\nAs many as fit into the room.\n\nNo more than 64.")
    static let memory = FlagKey<Int>(
        "memory", .bytes(1024...Int.max), "BYTES", usual: 512 << 20, group: "How",
        help: "Paint in store.")
    static let drops = FlagKey<Int?>(
        "drops", .count(1...Int.max), "N", group: "How", help: "Drops allowed.")
    static let margin = FlagKey<Double?>(
        "margin", .decimal(0...10), "PT", group: "How", help: "Free edge.")
    static let tone = FlagKey<String?>(
        "tone", .text(offering: ["warm"]), "TONE", group: "How",
        help: "The colour's tone: [warm] or cold.")
    static let misses = FlagKey<Tolerance?>(
        "misses", .tolerance, "N|P%", group: "How", help: "Holes allowed.")
    static let note = FlagKey(
        repeated: "note", .text, "TEXT", group: "How", help: "A word to the painter.")
    static let linear = FlagKey(
        toggle: "linear", group: "How", help: "Straight strokes.")
    static let quiet = FlagKey(toggle: "quiet", short: "q", group: "How", help: "No singing.")
    static let dryRun = FlagKey(
        toggle: "dry-run", group: "How", isInConfiguration: false,
        help: "Only pretend.")

    static let paint = Command(
        "paint", summary: "put colour on walls",
        discussion: "First paragraph.\n\nSecond paragraph.",
        operands: Command.Operands("[WALL…]", count: 0...3, help: "Walls to paint."),
        flags: [
            [
                output.flag, sketch.flag, coat.flag, room.flag, zoom.flag, jobs.flag, memory.flag,
                drops.flag, margin.flag, tone.flag, misses.flag, note.flag, linear.flag,
                quiet.flag, dryRun.flag,
            ]
        ],
        examples: ["artist paint hall -o out": "Paint the hall:"])

    static let tool = Tool(
        name: "artist", version: "1.2", summary: "paints houses",
        commands: [
            paint,
            Command(
                "shop list", summary: "list what to buy",
                flags: [[FlagKey(toggle: "json", group: "Output", help: "Write JSON.").flag]]),
            Command(
                "shop buy", summary: "buy it",
                operands: Command.Operands(
                    "THING", count: 1...1, words: ["brush", "bucket"], help: "What."),
                readsSettings: false),
            Command(
                "repaint", summary: "paint again", flags: [[jobs.flag, again.flag]], base: "paint"),
        ], topics: [("Work", ["paint", "repaint"])],
        examples: ["artist paint hall -o out": "Paint the hall:"],
        variables: ["jobs", "coat", "linear"],
        rules: [
            .notBoth("linear", "margin", because: "strokes would cross it"),
            .needs("zoom", "sketch"),
        ])
    static let again = FlagKey(toggle: "again", group: "How", help: "Even if it is dry.")

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

    /// Returns the error message for an invalid command line.
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
