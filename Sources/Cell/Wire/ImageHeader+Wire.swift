import Codecs
import Raster

extension WireWriter {
    package mutating func put(_ header: ImageHeader) {
        put(choice: header.format)
        put(header.codedSize.width)
        put(header.codedSize.height)
        put(choice: header.orientation)
        put(header.hasAlpha)
        put(header.bitsPerChannel)
        put(choice: header.colorModel)
        put(header.hasProfile)
        put(header.profileName) { $0.put($1) }
        put(header.isProgressive)
        put(header.isAnimated)
        put(header.exactSize.width)
        put(header.exactSize.height)
    }
}

extension WireReader {
    /// No picture that we read can declare a longer side, a vector included.
    private static let edgeLimit = 1 << 40

    package mutating func header() throws(WireDamage) -> ImageHeader {
        let edges = 0...Self.edgeLimit
        var header = ImageHeader(
            format: try choice(),
            codedSize: PixelSize(width: try number(in: edges), height: try number(in: edges)))
        header.orientation = try choice()
        header.hasAlpha = try flag()
        header.bitsPerChannel = try number(in: 0...128)
        header.colorModel = try choice()
        header.hasProfile = try flag()
        header.profileName = try optional { wire throws(WireDamage) in try wire.text() }
        header.isProgressive = try flag()
        header.isAnimated = try flag()
        header.exactSize = (try side(), try side())
        return header
    }

    private mutating func side() throws(WireDamage) -> Double {
        let value = try real()
        guard value >= 0, value <= Double(Self.edgeLimit) else { throw WireDamage() }
        return value
    }
}
