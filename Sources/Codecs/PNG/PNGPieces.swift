import CShims

/// The chunks of a PNG that make its picture, as a file of their own in which every chunk is whole:
/// most pieces lie in the given file, a few are made.
struct PNGPieces {
    private enum Piece {
        case taken(Range<Int>)
        case made([UInt8])
    }

    private var pieces: [Piece]

    /// The chunk that ends a file.
    private static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    init(_ layout: PNGLayout, firstData: PNGChunk) {
        // Signature and image header.
        pieces = [.taken(0..<PNGSignature.count + 25)]
        for body in [layout.palette, layout.transparency] {
            if let body { pieces.append(.taken(body.lowerBound - 8..<body.upperBound + 4)) }
        }
        let last = layout.lastData ?? firstData
        let start = firstData.body.lowerBound - 8
        if last.isWhole {
            pieces.append(.taken(start..<last.body.upperBound + 4))
        } else {
            // What is left of the last chunk is called all of it. Its checksum says nothing.
            let length = UInt32(truncatingIfNeeded: last.body.count)
            let head = [length, last.name].flatMap { number in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            }
            pieces += [
                .taken(start..<last.body.lowerBound - 8), .made(head), .taken(last.body),
                .made([0, 0, 0, 0]),
            ]
        }
        pieces.append(.made(Self.end))
    }

    /// Hands out the pieces that hold anything, in their order.
    @unsafe
    func withParts<Result>(
        of file: Span<UInt8>, _ body: (UnsafeBufferPointer<emb_png_part>) -> Result
    ) -> Result {
        let made = pieces.flatMap { piece in
            if case .made(let bytes) = piece { bytes } else { [UInt8]() }
        }
        return unsafe file.withUnsafeBufferPointer { file in
            unsafe made.withUnsafeBufferPointer { made in
                var offset = 0
                var parts: [emb_png_part] = unsafe []
                for piece in pieces {
                    let base: UnsafePointer<UInt8>?
                    let count: Int
                    switch piece {
                    case .taken(let range):
                        unsafe base = file.baseAddress.map { unsafe $0 + range.lowerBound }
                        count = range.count
                    case .made(let bytes):
                        unsafe base = made.baseAddress.map { [offset] in unsafe $0 + offset }
                        count = bytes.count
                        offset += count
                    }
                    if count > 0 { unsafe parts.append(emb_png_part(bytes: base, length: count)) }
                }
                return unsafe parts.withUnsafeBufferPointer { unsafe body($0) }
            }
        }
    }
}
