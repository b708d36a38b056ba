import Raster

/// The marker segments of a JPEG, parsed here before libjpeg is called.
struct JPEGMarkers {
    var size = PixelSize(width: 0, height: 0)
    var bitsPerChannel = 8
    var componentCount = 0
    /// Whether the image has several scans, so that all coefficients stay in memory.
    var hasSeveralScans = false
    var orientation = Orientation.up
    var hasExif = false
    var profile: [UInt8] = []

    /// Reads the segments up to the first scan; copies only the profile.
    init(_ bytes: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        var chunks = ProfileChunks(bytesLimit: limits.profileBytes)
        let reader = ByteReader(bytes)
        var offset = 2
        while true {
            let marker = try Self.nextMarker(reader, from: &offset)
            switch marker {
            case 0x01, 0xD0...0xD8: continue
            case 0xD9: throw size.width == 0 ? .corrupt("a JPEG without pixels") : .truncated
            default: break
            }
            guard let length = reader.big16(offset) else { throw .truncated }
            guard length >= 2 else { throw .corrupt("a JPEG segment of invalid length") }
            let body = offset + 2
            let end = offset + length
            guard end <= reader.count else { throw .truncated }
            let segment = ByteReader(bytes.extracting(body..<end))
            offset = end
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                try readFrame(segment, marker: marker)
            // A JPEG-LS frame; such files begin like a JPEG.
            case 0xF7 where componentCount == 0: throw .unsupported("JPEG-LS")
            case 0xE1: readExif(segment)
            case 0xE2: chunks.add(segment)
            case 0xDA:
                guard componentCount > 0 else { throw .corrupt("a JPEG scan before its frame") }
                if (segment.u8(0) ?? 0) < componentCount { hasSeveralScans = true }
                profile = chunks.joined()
                return
            default: break
            }
        }
    }

    /// Skips padding and, as every reader does, stray bytes between segments.
    private static func nextMarker(
        _ reader: borrowing ByteReader, from offset: inout Int
    ) throws(DecodeError) -> Int {
        var position = offset
        while let byte = reader.u8(position) {
            position += 1
            guard byte == 0xFF else { continue }
            while reader.u8(position) == 0xFF { position += 1 }
            guard let marker = reader.u8(position) else { break }
            position += 1
            if marker != 0 {
                offset = position
                return marker
            }
        }
        throw .truncated
    }

    private mutating func readFrame(
        _ segment: borrowing ByteReader, marker: Int
    ) throws(DecodeError) {
        guard componentCount == 0 else { throw .corrupt("a JPEG with two frames") }
        guard let bits = segment.u8(0), let height = segment.big16(1),
            let width = segment.big16(3), let count = segment.u8(5),
            segment.count >= 6 + 3 * count
        else { throw .corrupt("a JPEG frame cut short") }
        switch marker {
        case 0xC0, 0xC1, 0xC9: break
        case 0xC2, 0xCA: hasSeveralScans = true
        case 0xC3, 0xCB: throw .unsupported("lossless JPEG")
        default: throw .unsupported("hierarchical JPEG")
        }
        guard bits == 8 else { throw .unsupported("JPEG with \(bits) bits per channel") }
        guard count == 1 || count == 3 || count == 4 else {
            throw count == 0
                ? .corrupt("a JPEG without components")
                : .unsupported("JPEG with \(count) components")
        }
        size = PixelSize(width: width, height: height)
        bitsPerChannel = bits
        componentCount = count
    }

    private mutating func readExif(_ segment: borrowing ByteReader) {
        guard !hasExif, segment.holds("Exif\0\0", at: 0) else { return }
        hasExif = true
        orientation = ExifOrientation.read(segment.bytes)
    }

    var colorModel: ColorModel {
        switch componentCount {
        case 1: .grey
        case 4: .cmyk
        default: .rgb
        }
    }
}

/// A colour profile split over APP2 segments, reassembled by their sequence numbers.
private struct ProfileChunks {
    let bytesLimit: Int
    private var totalBytes = 0
    /// The total number of parts, as stated in each part; 0 before the first part is added.
    private var count = 0
    private var parts: [Int: [UInt8]] = [:]
    private var isBroken = false

    init(bytesLimit: Int) {
        self.bytesLimit = bytesLimit
    }

    mutating func add(_ segment: borrowing ByteReader) {
        guard segment.holds("ICC_PROFILE\0", at: 0), !isBroken else { return }
        guard let number = segment.u8(12), let of = segment.u8(13), number >= 1, number <= of,
            count == 0 || count == of, parts[number] == nil,
            totalBytes + segment.count - 14 <= bytesLimit
        else {
            isBroken = true
            return
        }
        count = of
        totalBytes += segment.count - 14
        parts[number] = segment.bytes.extracting(14..<segment.count).copied()
    }

    /// Returns the whole profile, or nothing if a part is missing or duplicated.
    func joined() -> [UInt8] {
        guard !isBroken, count > 0, parts.count == count else { return [] }
        return (1...count).flatMap { parts[$0] ?? [] }
    }
}
