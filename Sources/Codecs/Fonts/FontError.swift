/// Why no text can be drawn.
package enum FontError: Error, Hashable, Sendable {
    /// A font file of the listed set is not on this machine.
    case missing(file: String, package: String)
    /// A font file is there but cannot be opened or read as a font.
    case unreadable(file: String, package: String)
    /// What draws text and shapes cannot be opened.
    case libraries
    /// The font library refused to set up.
    case library
}

extension FontError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let file, let package):
            "The font \(file) is missing; install the Debian package \(package)."
        case .unreadable(let file, let package):
            "The font \(file) cannot be read; reinstall the Debian package \(package)."
        case .libraries:
            "The libraries for text and shapes cannot all be opened; install the Debian packages "
                + "\(DrawingLibraries.packages)."
        case .library:
            "The font library could not be initialised; reinstall the Debian package "
                + "libfontconfig1."
        }
    }
}
