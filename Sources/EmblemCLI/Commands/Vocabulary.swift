import Flags

/// The words that several commands allow for their options.
enum Vocabulary {
    static let layouts = ["small", "medium", "large", "xLarge"]
    static let scales = ["1", "1.5", "2", "3", "4"]
    static let modes = ["fit", "fill"]
    static let appearances =
        ["brand", "info", "success", "warning", "danger"] + (1...10).map { "category\($0)" }
    static let corners = ["circular", "continuous"]
    static let widths = ["square", "auto"]
    static let tints = ["auto", "always", "never"]
    static let points = FlagKind.decimal(0...1000)
}
