/// What bytes turned out to be.
package enum Sniffed: Hashable, Sendable {
    /// A format that is read.
    case picture(ImageFormat)
    /// A format with a name that is not read.
    case known(String)
    /// Nothing that is known as a picture.
    case unknown
}

/// Tells formats apart by their bytes; names and declared types are never asked.
package enum ImageSniffer {
    /// Looks at the first bytes only, except for SVG, whose root may stand behind comments.
    package static func sniff(_ bytes: Span<UInt8>) -> Sniffed {
        for format in ImageFormat.allCases where format.recognizes(bytes) {
            return .picture(format)
        }
        return ForeignFormat.name(of: bytes).map { .known($0) } ?? .unknown
    }
}
