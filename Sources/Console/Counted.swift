/// A number of things in words: `1 item`, `2,000 items`.
package struct Counted: CustomStringConvertible {
    private let count: Int
    private let one: String
    private let many: String

    package init(_ count: Int, _ one: String, many: String? = nil) {
        self.count = count
        self.one = one
        self.many = many ?? one + "s"
    }

    package var description: String {
        "\(ProgressReport.grouped(count)) \(count == 1 ? one : many)"
    }
}
