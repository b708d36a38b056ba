import Artwork

/// A state view in letters: for a terminal, where its button is the command to type.
struct StateBlock {
    let content: StateContent

    var lines: [String] {
        ["", "  \(content.title)", "  \(content.subtitle)"]
            + content.buttons.map { "  → \($0.title)" } + [""]
    }
}
