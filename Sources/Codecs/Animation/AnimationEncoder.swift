import Raster

/// Encodes a sequence of frames as an animation that repeats for ever.
package enum AnimationEncoder {
    /// The frames of an animation, all of one size. Each frame is made when it is encoded.
    package struct Frames {
        package let size: PixelSize
        package let count: Int
        /// The time for which each frame is shown, from 1 to 60,000.
        package let milliseconds: Int
        /// Returns the frame with this index.
        package let frame: (Int) -> PixelBuffer

        package init(
            size: PixelSize, count: Int, milliseconds: Int,
            frame: @escaping (Int) -> PixelBuffer
        ) {
            precondition(count > 0, "An animation has at least one frame.")
            self.size = size
            self.count = count
            self.milliseconds = min(max(milliseconds, 1), 60_000)
            self.frame = frame
        }
    }

    /// Encodes WebP, or full-colour PNG; no other format supports animation.
    ///
    /// WebP is lossless unless a quality is requested. The same frames give the same bytes.
    package static func encode(
        _ frames: Frames, format: OutputFormat, quality: EncodeQuality = .lossless
    ) throws(EncodeError) -> [UInt8] {
        guard max(frames.size.width, frames.size.height) <= OutputFormat.webp.edgeLimit else {
            throw .tooLarge(format, frames.size)
        }
        guard let animate = format.animate else {
            throw .unavailable(format, "the format does not support animation")
        }
        return try animate(frames, quality)
    }
}

/// Writes a PNG of the first frame, plus chunks for readers that support animation.
enum PNGAnimation {
    static func encode(_ frames: AnimationEncoder.Frames) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(
            size: frames.size, bitDepth: 8, colorType: .rgba, isInterlaced: false)
        var writer = PNGWriter(header: header, capacity: 1 << 16)
        // A loop count of 0 means an infinite loop.
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
                    // Dispose and blend modes 0: the new frame replaces the previous one.
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

    private static let control = PNGChunk.animation  // acTL
    private static let frameControl: UInt32 = 0x6663_544C  // fcTL
    private static let frameData: UInt32 = 0x6664_4154  // fdAT

    /// Compresses the rows without and with filters, and returns the smaller result. The second
    /// attempt pays off because an animation is encoded once and loaded often.
    private static func packed(_ rows: borrowing PNGPackedRows) throws(EncodeError) -> [UInt8] {
        let plain = try PNGDeflate.packPatiently(PNGFilteredRows(rows, choice: .fixed(.none)))
        let filtered = try PNGDeflate.packPatiently(PNGFilteredRows(rows, choice: .smallest))
        return plain.count <= filtered.count ? plain : filtered
    }

    /// Returns a number as four bytes, the highest first.
    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// Writes each frame as a still WebP and copies its image chunks into the animation.
enum WebPAnimation {
    static func encode(
        _ frames: AnimationEncoder.Frames, quality: EncodeQuality
    ) throws(EncodeError) -> [UInt8] {
        try WebPFile { file throws(EncodeError) in
            let size = frames.size
            file.appendCanvas(
                flags: animated | WebPFile.hasAlpha, width: size.width, height: size.height)
            file.chunk("ANIM") { chunk in
                chunk.append(little: 0, bytes: 4)
                // A loop count of 0 means an infinite loop.
                chunk.append(little: 0, bytes: 2)
            }
            for index in 0..<frames.count {
                let picture = try WebPEncoder.encode(frames.frame(index), quality: quality)
                file.chunk("ANMF") { chunk in
                    chunk.append(little: 0, bytes: 6)
                    chunk.append(little: size.width - 1, bytes: 3)
                    chunk.append(little: size.height - 1, bytes: 3)
                    chunk.append(little: frames.milliseconds, bytes: 3)
                    chunk.append(little: withoutBlending, bytes: 1)
                    chunk.appendPicture(of: picture)
                }
            }
        }.bytes
    }

    /// The flag of a `VP8X` chunk.
    private static let animated = 0x02
    /// The flag of an `ANMF` chunk whose frame is not blended with the canvas.
    private static let withoutBlending = 0x02
}
