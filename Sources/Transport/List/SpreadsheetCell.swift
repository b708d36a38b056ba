/// The guard of list cells that a spreadsheet would run as a formula: an apostrophe before them.
package enum SpreadsheetCell {
    /// The column that marks a list whose cells are guarded.
    package static let column = "emblem_csv_safe"

    /// Tells whether a formula sign begins the text, after any number of apostrophes.
    private static func isFormula(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first(where: { $0 != apostrophe }) else { return false }
        return signs.contains(first)
    }

    private static let apostrophe = UInt8(ascii: "'")
    private static let signs = Array("=+-@\t\r".utf8)

    /// Returns the text with one apostrophe more where it begins like a formula.
    package static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

    /// Returns the text that became this cell of a guarded list.
    static func plain(_ cell: String) -> String {
        cell.utf8.first == apostrophe && isFormula(cell) ? String(cell.dropFirst()) : cell
    }
}
