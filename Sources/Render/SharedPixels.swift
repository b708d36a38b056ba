import Raster

/// Immutable pixels that several images may share.
package final class SharedPixels: Sendable {
    package let buffer: PixelBuffer

    /// Takes upright, premultiplied pixels.
    package init(_ buffer: consuming PixelBuffer) {
        self.buffer = buffer
    }

    /// Copies pixels. The caller has checked the size, and `rgba` has exactly as many bytes.
    package init(_ size: PixelSize, _ rgba: [UInt8], isPremultiplied: Bool) {
        var buffer = PixelBuffer(size: size)
        unsafe rgba.withUnsafeBufferPointer { source in
            unsafe buffer.withUnsafeMutablePixels { target in
                for index in source.indices {
                    // A premultiplied colour must not exceed its alpha, or later sums would
                    // overflow.
                    let ceiling = isPremultiplied ? unsafe source[index | 3] : 255
                    unsafe target[index] = min(source[index], ceiling)
                }
            }
        }
        buffer.refreshOpacity()
        if !isPremultiplied { buffer.premultiply() }
        self.buffer = buffer
    }
}

extension SharedPixels: Hashable {
    package static func == (one: SharedPixels, other: SharedPixels) -> Bool {
        guard one !== other else { return true }
        return same(one.buffer, other.buffer)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(buffer.size) }

    private static func same(_ one: borrowing PixelBuffer, _ other: borrowing PixelBuffer) -> Bool {
        guard one.size == other.size else { return false }
        let mine = one.pixels
        let theirs = other.pixels
        for index in mine.indices where mine[index] != theirs[index] { return false }
        return true
    }
}
