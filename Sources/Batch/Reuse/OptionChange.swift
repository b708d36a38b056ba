import Notation
import Render

/// The differences between two records of options.
enum OptionChange {
    /// The option with its value before and now, in words; nil where nothing differs.
    static func words(from before: JSON, to now: JSON) -> String? {
        all(from: before, to: now).first
    }

    /// Every option that differs, with its value before and now, in words.
    static func all(from before: JSON, to now: JSON) -> [String] {
        // Targets decide what others are by default, so they are told of first.
        let names = ["target"] + ((now.members ?? []) + (before.members ?? [])).map(\.name)
        let (before, now) = (before.table, now.table)
        var known: Set<String> = []
        let differing = names.filter { before[$0] != now[$0] && known.insert($0).inserted }
        // A look only sets other options, so its name alone changes no output.
        if differing == [LookOption.of(\.look).member] { return [] }
        return differing.map { name in
            if name == "target", let words = targetWords(from: before[name], to: now[name]) {
                return words
            }
            let flag = name == "headers" ? "header" : name.replacing("_", with: "-")
            return "--\(flag) was \(text(of: before[name])) and is now \(text(of: now[name]))"
        }
    }

    /// What differs about a target; nil where others are named, which says enough.
    private static func targetWords(from before: JSON?, to now: JSON?) -> String? {
        let (olds, news) = (before?.elements ?? [], now?.elements ?? [])
        guard olds.map({ $0["target"] }) == news.map({ $0["target"] }) else { return nil }
        for (old, new) in zip(olds, news) where old != new {
            let kind = text(of: old["target"])
            for option in ["scale", "format"] where old[option] != new[option] {
                return "--\(option) for \(kind) was \(text(of: old[option])) and is now "
                    + text(of: new[option])
            }
            return
                "the folder of --target \(kind) was \(folder(of: old)) and is now "
                + "\(folder(of: new))"
        }
        return nil
    }

    /// Paths of the machine are not recorded.
    private static func folder(of target: JSON) -> String {
        guard target["elsewhere"]?.boolValue != true else { return "a folder outside OUT" }
        return target["folder"].map { "OUT/\(text(of: $0))" } ?? "OUT"
    }

    /// A value as it would be typed.
    private static func text(of value: JSON?) -> String {
        switch value {
        case nil: "not given"
        case .string(let text): PrintableText.escaped(text)
        case .array(let elements):
            elements.isEmpty ? "not given" : elements.map { text(of: $0) }.joined(separator: ",")
        case .object: value?["target"].map { text(of: $0) } ?? ""
        case .bool(let isOn): isOn ? "on" : "off"
        case .some(let other): other.text
        }
    }
}

extension JSON {
    /// The members of an object by name; the first one where a name stands twice.
    var table: [String: JSON] {
        Dictionary((members ?? []).map { ($0.name, $0.value) }) { first, _ in first }
    }
}
