import Raster

/// Pictures in a row to the bytes of one animation that plays for ever.
package enum AnimationEncoder {
    /// The frames of an animation: all of one size, each made when it is its turn.
    package struct Frames {
        package let size: PixelSize
        package let count: Int
        /// How long each is shown.
        package let milliseconds: Int
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

    /// Encodes WebP, or PNG with all its colours; other formats do not move.
    ///
    /// WebP is lossless unless a quality is asked for. The same frames give the same bytes.
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
