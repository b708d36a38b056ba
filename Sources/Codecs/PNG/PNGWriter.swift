import Digest
import Raster

/// The bytes of a PNG file as they are put together.
struct PNGWriter: Sendable {
    private(set) var bytes: [UInt8]

    init(header: PNGHeader, capacity: Int) {
        bytes = PNGSignature.bytes
        bytes.reserveCapacity(capacity)
        var body: [UInt8] = []
        Self.append(UInt32(truncatingIfNeeded: header.size.width), to: &body)
        Self.append(UInt32(truncatingIfNeeded: header.size.height), to: &body)
        body += [
            UInt8(truncatingIfNeeded: header.bitDepth), header.colorType.rawValue, 0, 0,
            header.isInterlaced ? 1 : 0,
        ]
        append(PNGChunk.header, body.span)
    }

    /// Appends a chunk with its length and checksum.
    mutating func append(_ name: UInt32, _ body: Span<UInt8>) {
        Self.append(UInt32(truncatingIfNeeded: body.count), to: &bytes)
        let begin = bytes.count
        Self.append(name, to: &bytes)
        unsafe body.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        Self.append(CRC32.checksum(bytes.span.extracting(begin...)), to: &bytes)
    }

    /// The palette, and the alphas up to the last that is not opaque.
    mutating func append(_ palette: [UInt32]) {
        let body = palette.flatMap {
            [
                UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8),
                UInt8(truncatingIfNeeded: $0 >> 16),
            ]
        }
        append(PNGChunk.palette, body.span)
        guard let last = palette.lastIndex(where: { $0 >> 24 != 255 }) else { return }
        let alphas = palette[...last].map { UInt8(truncatingIfNeeded: $0 >> 24) }
        append(PNGChunk.transparency, alphas.span)
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift: UInt32 in [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
