import Batch
import Console
import Engine
import Flags
import Notation
import Transport

extension CommandContext {
    /// `emblem diff A B`: lists what differs between two sets.
    func diff() throws -> Int32 {
        let paths = arguments.operands.map { FilePath($0) }
        var comparison = try SetComparison(paths[0], paths[1])
        if arguments[Options.json] {
            try writeJSON(of: &comparison)
        } else {
            try writeText(of: &comparison)
        }
        return comparison.hasDifferences ? 2 : 0
    }

    private func writeText(of comparison: inout SetComparison) throws {
        let isQuiet = arguments[Options.quiet]
        if !isQuiet {
            for words in comparison.optionWords {
                try output.write(PrintableText.escaped(words, limit: 400) + "\n")
            }
        }
        try comparison.forEachItem { item in
            if !isQuiet { try output.write(text(of: item)) }
        }
        let (old, new) = comparison.itemCounts
        if !comparison.hasDifferences {
            return try output.write("\(Counted(new, "item")), no difference\n")
        }
        let words = comparison.changes.words ?? "no item differs, but the options differ"
        try output.write(
            "\(Counted(old, "item")) before and \(Figure.grouped(new)) now: \(words), "
                + "\(Figure.grouped(comparison.changes.unchanged)) unchanged\n")
    }

    /// Returns the kind of change, the id, and the error of a failing item or the changed
    /// properties.
    private func text(of item: SetComparison.Item) -> String {
        var cells = [item.kind.rawValue, item.id]
        if item.kind == .changed {
            cells.append(item.aspects.map(\.rawValue).joined(separator: ", "))
        } else if let error = item.new?["error"] {
            cells.append(
                ["class", "message"].compactMap { error[$0]?.stringValue }.joined(separator: ": "))
        }
        return cells.map { PrintableText.escaped($0, limit: 400) }.joined(separator: "\t") + "\n"
    }

    /// Writes the items one by one, so that memory does not grow with their number. The counts
    /// follow at the end, since they are known only then.
    private func writeJSON(of comparison: inout SetComparison) throws {
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

    private func write(_ item: SetComparison.Item, into json: inout JSONWriter) {
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
