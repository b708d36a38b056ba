import Raster

/// Pixels that several pictures may share; nobody changes them.
package final class SharedPixels: Sendable {
    package let buffer: PixelBuffer

    /// Pixels as they are, premultiplied and upright.
    package init(_ buffer: consuming PixelBuffer) {
        self.buffer = buffer
    }

    /// The caller has held the size against the limits and counted the bytes.
    package init(_ size: PixelSize, _ rgba: [UInt8], isPremultiplied: Bool) {
        var buffer = PixelBuffer(size: size)
        unsafe rgba.withUnsafeBufferPointer { source in
            unsafe buffer.withUnsafeMutablePixels { target in
                for index in source.indices {
                    // No colour is brighter than its alpha, or sums would overflow later.
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
