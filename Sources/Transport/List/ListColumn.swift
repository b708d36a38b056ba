/// A column whose meaning we know.
enum ListColumn: String {
    case source, url, id, name, label, hint, value, layout, appearance, mode, placeholder, badge
    case alternatives

    /// Case and spaces around a header's name do not matter.
    init?(header: String) {
        let letters = header.utf8.filter { $0 != 0x20 }
        self.init(
            rawValue: String(
                decoding: letters.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
                as: UTF8.self))
    }
}
