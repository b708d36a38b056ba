import Codecs
import Raster

extension Wire {
    /// The longest side that any supported image can declare, vectors included.
    private static let edgeLimit = 1 << 40
    /// The longest side of a vector. A longer drawing is scaled down, as its size is only a
    /// proportion.
    private static let drawingLimit = 1e9

    /// A header that is plausible: sizes are positive and agree with each other.
    package mutating func code(_ header: inout ImageHeader) throws {
        let edges = 1...Self.edgeLimit
        try choice(&header.format)
        try code(&header.codedSize.width, in: edges)
        try code(&header.codedSize.height, in: edges)
        try choice(&header.orientation)
        try code(&header.hasAlpha)
        try code(&header.bitsPerChannel, in: 0...255)
        try choice(&header.colorModel)
        try code(&header.hasProfile)
        try optional(&header.profileName, "") { try $0.code(&$1) }
        try code(&header.isProgressive)
        try code(&header.isAnimated)
        try code(&header.decodingBytes, in: 0...(header.format.declaresCost ? Int.max : 0))
        try code(&header.exactSize.width)
        try code(&header.exactSize.height)
        guard !isReading || agree(header.exactSize.width, header.size.width, header.format),
            !isReading || agree(header.exactSize.height, header.size.height, header.format)
        else { throw WireDamage() }
    }

    /// Returns whether the exact and the whole size agree. Only a vector has a fractional size, up
    /// to the drawing limit.
    private func agree(_ exact: Double, _ whole: Int, _ format: ImageFormat) -> Bool {
        guard exact > 0, exact <= Double(Self.edgeLimit) else { return false }
        if format.isVector, exact > Self.drawingLimit { return false }
        return (format.isVector ? exact.rounded(.up) : exact) == Double(whole)
    }
}
