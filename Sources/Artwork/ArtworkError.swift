import Codecs

package enum ArtworkError: Error, Hashable, Sendable {
    /// A loaded drawing cannot be drawn at the required size.
    case drawing(DecodeError)
    case fonts(FontError)
    /// The picture would exceed the pixel limits; the size is in points.
    case tooLarge(Double, Double)
    /// Cairo failed. `FontCache.draw` retries once with new fonts before it throws this error.
    case cairoFailed
    case encoding(EncodeError)
}

extension ArtworkError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .drawing(let error): error.description
        case .fonts(let error): error.description
        case .tooLarge(let width, let height):
            "\(Markup.number(width)) x \(Markup.number(height)) points are too many to draw; "
                + "use a smaller scale or a shorter text."
        case .cairoFailed:
            "The drawing is too large for cairo; use a smaller scale or a shorter text."
        case .encoding(let error): error.description
        }
    }
}

extension ArtworkError: FontFailure {
    package init(_ error: FontError) { self = .fonts(error) }

    /// Whether cairo failed, which a broken font can cause.
    package var isCairoFailure: Bool {
        switch self {
        // `limitDecode` counts, too: cairo may have found a broken font while it drew an embedded
        // drawing.
        case .cairoFailed, .drawing(.limitDecode): true
        case .drawing, .fonts, .tooLarge, .encoding: false
        }
    }
}
