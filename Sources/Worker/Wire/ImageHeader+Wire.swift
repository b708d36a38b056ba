import Codecs
import Raster
import Render

extension WireWriter {
    package mutating func put(_ header: ImageHeader) {
        put(choice: header.format)
        put(header.codedSize.width)
        put(header.codedSize.height)
        put(choice: header.orientation)
        put(header.hasAlpha)
        put(min(max(header.bitsPerChannel, WireReader.bits.lowerBound), WireReader.bits.upperBound))
        put(choice: header.colorModel)
        put(header.hasProfile)
        put(header.profileName) { $0.put($1) }
        put(header.isProgressive)
        put(header.isAnimated)
        put(header.decodingBytes)
        put(header.exactSize.width)
        put(header.exactSize.height)
    }
}

extension WireReader {
    /// The longest side that any supported image can declare, vectors included.
    private static let edgeLimit = 1 << 40
    /// The range of bits per channel that a file can declare, valid or not.
    static let bits = 0...255

    /// Reads a header that is plausible: sizes are positive and agree with each other.
    package mutating func header() throws(WireDamage) -> ImageHeader {
        let edges = 1...Self.edgeLimit
        var header = ImageHeader(
            format: try choice(),
            codedSize: PixelSize(width: try number(in: edges), height: try number(in: edges)))
        header.orientation = try choice()
        header.hasAlpha = try flag()
        header.bitsPerChannel = try number(in: Self.bits)
        header.colorModel = try choice()
        header.hasProfile = try flag()
        header.profileName = try optional { wire throws(WireDamage) in try wire.text() }
        header.isProgressive = try flag()
        header.isAnimated = try flag()
        header.decodingBytes = try number(in: 0...(header.format.declaresCost ? Int.max : 0))
        header.exactSize = (try side(), try side())
        guard agree(header.exactSize.width, header.size.width, header.format),
            agree(header.exactSize.height, header.size.height, header.format)
        else { throw WireDamage() }
        return header
    }

    /// Returns whether the exact and the whole size agree. Only a vector has a fractional size, up
    /// to the drawing limit.
    private func agree(_ exact: Double, _ whole: Int, _ format: ImageFormat) -> Bool {
        if format.isVector, exact > Self.drawingLimit { return false }
        return (format.isVector ? exact.rounded(.up) : exact) == Double(whole)
    }

    /// The longest side of a vector. A longer drawing is scaled down, as its size is only a
    /// proportion.
    private static let drawingLimit = 1e9

    private mutating func side() throws(WireDamage) -> Double {
        let value = try real()
        guard value > 0, value <= Double(Self.edgeLimit) else { throw WireDamage() }
        return value
    }
}
