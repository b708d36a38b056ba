import Batch
import Console
import Engine
import Flags
import Notation
import Transport

/// `emblem diff A B`: lists what differs between two sets.
enum DiffCommand {
    static func run(_ context: CommandContext) throws -> Int32 {
        let arguments = context.arguments
        let paths = arguments.operands.map { FilePath($0) }
        var comparison = try SetComparison(paths[0], paths[1])
        if arguments[Options.json] {
            try writeJSON(&comparison, to: context.output)
        } else {
            try writeText(&comparison, context)
        }
        return comparison.hasDifferences ? 2 : 0
    }

    private static func writeText(
        _ comparison: inout SetComparison, _ context: CommandContext
    ) throws {
        var list = ChangeList()
        try comparison.forEachItem { list.add($0) }
        let output = context.output
        if !context.arguments[Options.quiet] {
            for words in comparison.optionWords {
                try output.write(PrintableText.escaped(words, limit: 400) + "\n")
            }
            let terminal = Terminal.at(1, environment: context.environment)
            try output.write(list.text(comparison.changes, hasColor: terminal.allowsColor))
        }
        let (old, new) = comparison.itemCounts
        if !comparison.hasDifferences {
            return try output.write("\(Counted(new, "item")), no difference\n")
        }
        let words = comparison.changes.words ?? "no item differs, but the options differ"
        try output.write(
            "\(Counted(old, "item")) before and \(ProgressReport.grouped(new)) now: \(words), "
                + "\(ProgressReport.grouped(comparison.changes.unchanged)) unchanged\n")
    }

    /// Writes the items one by one, so that memory does not grow with their number. The counts
    /// follow at the end, since they are known only then.
    private static func writeJSON(
        _ comparison: inout SetComparison, to output: OutputStream
    ) throws {
        let (heads, counts) = (comparison.heads, comparison.itemCounts)
        var json = JSONWriter()
        json.object { json in
            json.member("schema", "emblem.diff/1")
            for (name, head, count) in [
                ("old", heads.old, counts.old), ("new", heads.new, counts.new),
            ] {
                json.object(name) { json in
                    json.member("tool", head["tool"]?.stringValue ?? "")
                    json.member("items", count)
                }
            }
            json.array("options") { json in
                for option in comparison.options {
                    json.object { json in
                        json.member("name", option.name)
                        if let old = option.old { json.member("old", old) }
                        if let new = option.new { json.member("new", new) }
                    }
                }
            }
        }
        // The closing brace of the object follows the items.
        try output.write(json.take().dropLast() + Array(",\"items\":[".utf8))
        var isFirst = true
        try comparison.forEachItem { item in
            var json = JSONWriter()
            write(item, into: &json)
            try output.write((isFirst ? [] : [UInt8(ascii: ",")]) + [0x0A] + json.take())
            isFirst = false
        }
        var last = JSONWriter()
        last.object { json in
            comparison.changes.write("changes", into: &json)
            json.member("same", !comparison.hasDifferences)
        }
        last.endLine()
        try output.write(Array("\n],".utf8) + last.take().dropFirst())
    }

    private static func write(_ item: SetComparison.Item, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", item.id)
            json.member("change", item.kind.rawValue)
            if !item.aspects.isEmpty {
                json.array("what") { json in
                    for aspect in item.aspects { json.write(aspect.rawValue) }
                }
            }
            json.array("outputs") { json in for path in item.outputs { json.write(path) } }
            for (name, record) in [("old", item.old), ("new", item.new)] {
                guard let record else { continue }
                json.object(name) { json in
                    for member in ["index", "row", "name", "source", "status", "stale", "error"] {
                        if let value = record[member] { json.member(member, value) }
                    }
                }
            }
        }
    }
}

/// The first 20 items of each kind of change, in the order of their ids, as text for a terminal.
private struct ChangeList {
    private static let limit = 20

    private struct Line {
        let id: String
        let text: String
    }

    private var lines: [SetChanges.Kind: [Line]] = [:]

    mutating func add(_ item: SetComparison.Item) {
        var kept = lines.removeValue(forKey: item.kind) ?? []
        defer { lines[item.kind] = kept }
        let id = item.id
        if kept.count == Self.limit, let last = kept.last, last.id <= id { return }
        let place = kept.firstIndex { id < $0.id } ?? kept.count
        kept.insert(Line(id: id, text: Self.text(of: item)), at: place)
        if kept.count > Self.limit { kept.removeLast() }
    }

    /// Returns the id, with the error of a failing item or the changed properties.
    private static func text(of item: SetComparison.Item) -> String {
        var words: [String] = []
        switch item.kind {
        case .added, .failing, .stale:
            if let error = item.new?["error"] {
                words = ["class", "message"].compactMap { error[$0]?.stringValue }
            }
        case .changed: words = [item.aspects.map(\.rawValue).joined(separator: ", ")]
        case .gone, .repaired: break
        }
        let note = words.isEmpty ? "" : "  " + words.joined(separator: ": ")
        return PrintableText.escaped(item.id, limit: 200) + PrintableText.escaped(note, limit: 400)
    }

    /// Returns the lists with headings; failures come first.
    func text(_ changes: SetChanges, hasColor: Bool) -> String {
        var text = ""
        for (kind, heading, mark, color) in Self.sections {
            guard let lines = lines[kind], changes[kind] > 0 else { continue }
            text += "\(heading) (\(ProgressReport.grouped(changes[kind])))\n"
            for line in lines {
                let shown = "\(mark) \(line.text)"
                text += "  " + (hasColor ? "\u{1B}[\(color)m\(shown)\u{1B}[0m" : shown) + "\n"
            }
            if changes[kind] > lines.count {
                let more = ProgressReport.grouped(changes[kind] - lines.count)
                text += "  … and \(more) more, which --json lists\n"
            }
        }
        return text
    }

    private static let sections: [(SetChanges.Kind, String, String, Int)] = [
        (.failing, "Now failing", "!", 31), (.stale, "Now stale", "?", 33),
        (.repaired, "Repaired", "*", 32), (.changed, "Changed", "~", 33), (.added, "New", "+", 32),
        (.gone, "Gone", "-", 31),
    ]
}
