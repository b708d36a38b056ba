import Codecs

/// Why an emblem's content could not be drawn.
package enum ArtworkError: Error, Hashable, Sendable {
    /// A drawing that loaded cannot be drawn at the size it is needed.
    case drawing(DecodeError)
    /// Text is needed and its fonts are not there.
    case fonts(FontError)
    /// There is nothing in the text that could be drawn.
    case noText
    /// More pixels would come of it than are ever drawn; the size is in points.
    case tooLarge(Double, Double)
    /// Cairo fails at it, with fonts of its own too.
    case beyondCairo
    /// A picture inside a drawing could not be written.
    case encoding(EncodeError)
}

extension ArtworkError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .drawing(let error): error.description
        case .fonts(let error): error.description
        case .noText: "The text has no visible character; give at least one letter."
        case .tooLarge(let width, let height):
            "\(Markup.number(width)) x \(Markup.number(height)) points are too many to draw; "
                + "use a smaller scale or a shorter text."
        case .beyondCairo:
            "The drawing is too large for cairo; use a smaller scale or a shorter text."
        case .encoding(let error): error.description
        }
    }
}

extension ArtworkError: FontFailure {
    package init(_ error: FontError) { self = .fonts(error) }

    package var isOfCairo: Bool {
        switch self {
        // A drawing inside of this one may have met a broken font.
        case .beyondCairo, .drawing(.limitDecode): true
        case .drawing, .fonts, .noText, .tooLarge, .encoding: false
        }
    }
}
