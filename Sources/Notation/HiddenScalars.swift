extension Unicode.Scalar {
    /// Controls of both sets, line separators, and the marks that turn the direction of text:
    /// what can rewrite a terminal's screen or make a line read as something that it is not.
    package var isHidden: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
