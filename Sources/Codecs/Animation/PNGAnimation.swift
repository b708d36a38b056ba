import Raster

/// Writes an animated PNG: a usual PNG of the first frame, and chunks for those who know more.
enum PNGAnimation {
    static func encode(_ frames: AnimationEncoder.Frames) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(
            size: frames.size, bitDepth: 8, colorType: .rgba, isInterlaced: false)
        var writer = PNGWriter(header: header, capacity: 1 << 16)
        // No number of rounds is a promise to go on for ever.
        writer.append(control, (big(frames.count) + big(0)).span)
        var sequence = 0
        for index in 0..<frames.count {
            let pixels = PNGStraightPixels(frames.frame(index))
            precondition(pixels.size == frames.size, "All frames have one size.")
            let packed = try packed(PNGPackedRows(pixels, header: header, colors: nil))
            writer.append(
                frameControl,
                (big(sequence) + big(frames.size.width) + big(frames.size.height) + big(0) + big(0)
                    + [UInt8(frames.milliseconds >> 8), UInt8(frames.milliseconds & 255), 3, 232]
                    // What was there stays until the new frame replaces it.
                    + [0, 0]).span)
            sequence += 1
            if index == 0 {
                writer.append(PNGChunk.imageData, packed.span)
            } else {
                writer.append(frameData, (big(sequence) + packed).span)
                sequence += 1
            }
        }
        writer.append(PNGChunk.end, [UInt8]().span)
        return writer.bytes
    }

    private static let control = PNGChunk.animation
    private static let frameControl: UInt32 = 0x6663_544C  // fcTL
    private static let frameData: UInt32 = 0x6664_4154  // fdAT

    /// The smaller of both ways; an animation is made once and loaded often.
    private static func packed(_ rows: borrowing PNGPackedRows) throws(EncodeError) -> [UInt8] {
        let plain = try PNGDeflate.packPatiently(PNGFilteredRows(rows, choice: .fixed(.none)))
        let filtered = try PNGDeflate.packPatiently(PNGFilteredRows(rows, choice: .smallest))
        return plain.count <= filtered.count ? plain : filtered
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
