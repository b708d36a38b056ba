/// A column whose meaning we know.
package enum ListColumn: String, CaseIterable, Sendable {
    case source, url, id, name, label, hint, value, layout, appearance, mode, placeholder, badge
    case alternatives

    /// Case and spaces around a header's name do not matter.
    init?(header: String) {
        self.init(rawValue: Self.bare(header))
    }

    /// A header's name as it is compared.
    static func bare(_ header: String) -> String {
        let letters = header.utf8.filter { $0 != 0x20 }
        return String(
            decoding: letters.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// It says how the row's pictures look.
    var isLook: Bool {
        switch self {
        case .layout, .appearance, .mode, .placeholder, .badge: true
        case .source, .url, .id, .name, .label, .hint, .value, .alternatives: false
        }
    }

    /// Those columns, in the order in which digests take them.
    package static let look = allCases.filter(\.isLook)
}

/// What a row says about the look of its pictures. Names, keys and digests take all of it, whatever
/// columns there are.
package struct LookColumns: Hashable, Sendable {
    private var texts: [ListColumn: String] = [:]

    package init() {}

    package subscript(_ column: ListColumn) -> String? {
        get { texts[column] }
        set { texts[column] = newValue }
    }

    package var isEmpty: Bool { texts.isEmpty }

    /// The text of every column, `nil` where the row has none.
    package var all: [String?] {
        texts.isEmpty ? Self.none : ListColumn.look.map { texts[$0] }
    }

    private static let none = [String?](repeating: nil, count: ListColumn.look.count)
}
