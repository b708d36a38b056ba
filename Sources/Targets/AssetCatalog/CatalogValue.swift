import Notation

/// A value of a `Contents.json`, written as Xcode writes it: keys sorted, one a line, a blank on both
/// sides of the colon, and a line break at the end, so that opening the catalog there changes no byte.
enum CatalogValue {
    case text(String)
    case number(Int)
    case yes
    case list([CatalogValue])
    case members([String: CatalogValue])

    /// The whole file.
    var text: String { lines(at: 0) + "\n" }

    private func lines(at depth: Int) -> String {
        let inner = String(repeating: "  ", count: depth + 1)
        let outer = String(repeating: "  ", count: depth)
        switch self {
        case .text(let text): return JSON.string(text).text
        case .number(let number): return "\(number)"
        case .yes: return "true"
        case .list(let values):
            let lines = values.map { inner + $0.lines(at: depth + 1) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(outer)]"
        case .members(let members):
            let lines = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
                "\(inner)\"\($0.key)\" : \($0.value.lines(at: depth + 1))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        }
    }
}
