import Notation

/// Something in a theme file that is read over, since files are shared with other tools.
package struct ThemeWarning: Hashable, Sendable {
    package var place: TokenPlace
    package var reason: String
}

extension ThemeWarning: CustomStringConvertible {
    package var description: String {
        "\(place.printable): \(PrintableText.escaped(reason))."
    }
}
