extension DecodeLimits {
    /// Lets every header through, so that a picture which is refused can still be described.
    package static let headerOnly = DecodeLimits(
        pixels: .max, progressivePixels: .max, edge: .max)
}

extension ImageHeader {
    /// Holds what the header declares against `limits`. A vector is rendered at the size it is
    /// needed in, whatever size it declares.
    package func check(_ limits: DecodeLimits) throws(DecodeError) {
        guard !format.isVector else { return }
        try limits.check(codedSize, progressive: format == .jpeg && isProgressive)
    }
}
