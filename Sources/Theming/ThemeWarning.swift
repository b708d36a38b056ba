import Notation

/// Something in a theme file that is read over, since files are shared with other tools.
package struct ThemeWarning: Hashable, Sendable {
    package var location: TokenLocation
    package var reason: String
}

extension ThemeWarning: CustomStringConvertible {
    package var description: String {
        "\(location.printable): \(PrintableText.escaped(reason))."
    }
}
