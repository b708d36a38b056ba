/// Why bytes did not become a picture.
package enum DecodeError: Error, Hashable, Sendable {
    /// The bytes are no picture at all, or there are none.
    case notImage
    /// A known format, or a kind of one, that is not read; the text names it.
    case unsupported(String)
    /// The data ends before the last pixel.
    case truncated
    /// The data breaks the rules of its format; the text says which.
    case corrupt(String)
    /// The header declares more pixels, or a longer side, than the limits allow.
    case limitPixels
    /// Decoding would pass another limit; the text names it.
    case limitDecode(String)
}

extension DecodeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notImage: "The bytes are not a known image format."
        case .unsupported(let what): "This kind of picture is not supported: \(what)."
        case .truncated:
            "The data ends before the last pixel; load it again, or draw the available part with "
                + "--allow-truncated."
        case .corrupt(let what): "The picture is damaged: \(what)."
        case .limitPixels:
            "The picture declares more pixels than --max-pixels allows. A progressive JPEG may "
                + "declare half as many, because all its coefficients stay in memory; raise "
                + "--max-pixels to decode it."
        case .limitDecode(let what): "Decoding would exceed a limit: \(what)."
        }
    }
}
