import CKernels
import Glibc

/// A picture in memory: premultiplied RGBA, eight bits per channel, sRGB, rows without gaps.
///
/// The buffer owns its bytes. It cannot be copied implicitly; `copy()` makes a second buffer.
@safe
package struct PixelBuffer: ~Copyable, Sendable {
    package private(set) var size: PixelSize
    /// `true` if every pixel is known to be opaque; `false` promises nothing.
    package var isOpaque: Bool
    /// The relation to the full-size picture; set by a decoder that stored fewer pixels than the
    /// file has.
    package var shrinkage: Shrinkage?
    /// The orientation that is still to be applied; set by a decoder that leaves it to the
    /// resampler.
    package var pendingOrientation = Orientation.up
    /// A copy of this picture, halved at least once, that a resampler may start from; a cache, not
    /// part of the value.
    var halvedCopy: HalvedPicture?
    private nonisolated(unsafe) let base: UnsafeMutablePointer<UInt8>

    /// Makes a buffer of transparent black. The caller must check `size` against its limits.
    package init(size: PixelSize) {
        precondition(size.width > 0 && size.height > 0, "A pixel buffer has at least one pixel.")
        precondition(size.byteCount < .max, "The size of a pixel buffer overflows.")
        self.size = size
        isOpaque = false
        // The system returns large blocks already zeroed; clearing them again would touch each
        // page.
        guard let block = unsafe calloc(size.byteCount, 1) else {
            preconditionFailure("There is no memory for a picture of \(size).")
        }
        unsafe base = block.bindMemory(to: UInt8.self, capacity: size.byteCount)
    }

    /// Makes a buffer whose bytes the caller writes before it reads any, which saves clearing them.
    ///
    /// `spareBytes` writable bytes follow the pixels.
    package init(unwritten size: PixelSize, spareBytes: Int = 0) {
        precondition(size.width > 0 && size.height > 0, "A pixel buffer has at least one pixel.")
        let (count, overflow) = size.byteCount.addingReportingOverflow(spareBytes)
        precondition(count < .max && !overflow, "The size of a pixel buffer overflows.")
        self.size = size
        isOpaque = false
        guard let block = unsafe malloc(count) else {
            preconditionFailure("There is no memory for a picture of \(size).")
        }
        unsafe base = block.bindMemory(to: UInt8.self, capacity: size.byteCount)
    }

    deinit {
        unsafe free(base)
    }

    package var width: Int { size.width }
    package var height: Int { size.height }
    package var bytesPerRow: Int { size.width * 4 }

    /// All rows from the top, each pixel as red, green, blue, alpha.
    package var pixels: Span<UInt8> {
        @_lifetime(borrow self) get {
            let span = unsafe Span(_unsafeStart: base, count: size.byteCount)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    package var mutablePixels: MutableSpan<UInt8> {
        @_lifetime(&self) mutating get {
            let span = unsafe MutableSpan(_unsafeStart: base, count: size.byteCount)
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }

    package mutating func withUnsafeMutablePixels<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(base)
    }

    package func withUnsafePixels<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafePointer(base))
    }

    /// Crops to the part `bounds` of the stored pixels. The pixels move within the buffer, because
    /// a copy of a large picture would touch new pages.
    package mutating func crop(to bounds: PixelRect) {
        precondition(bounds.isInside(size), "The part lies inside the picture.")
        let first = unsafe base + bounds.y * bytesPerRow + bounds.x * 4
        let count = bounds.width * 4
        for row in 0..<bounds.height {
            unsafe (base + row * count).update(from: first + row * bytesPerRow, count: count)
        }
        size = bounds.size
        shrinkage = nil
        halvedCopy = nil
    }
}

extension PixelBuffer {
    func withUnsafeWords<Result>(_ body: (UnsafePointer<UInt32>) -> Result) -> Result {
        unsafe withUnsafePixels { bytes in
            unsafe bytes.withMemoryRebound(to: UInt32.self, capacity: size.area, body)
        }
    }

    mutating func withUnsafeMutableWords<Result>(
        _ body: (UnsafeMutablePointer<UInt32>) -> Result
    ) -> Result {
        let count = size.area
        return unsafe withUnsafeMutablePixels { bytes in
            unsafe bytes.withMemoryRebound(to: UInt32.self, capacity: count, body)
        }
    }

    package func part(_ window: PixelRect) -> PixelBuffer {
        precondition(window.isInside(size), "The part lies inside the picture.")
        if window == PixelRect(size) { return copy() }
        var result = PixelBuffer(unwritten: window.size)
        result.isOpaque = isOpaque
        let (stride, count) = (bytesPerRow, result.bytesPerRow)
        unsafe withUnsafePixels { source in
            unsafe result.withUnsafeMutablePixels { target in
                let first = unsafe source + window.y * stride + window.x * 4
                for row in 0..<window.height {
                    unsafe (target + row * count).update(
                        from: first + row * stride, count: count)
                }
            }
        }
        return result
    }

    package func copy() -> PixelBuffer {
        var result = PixelBuffer(unwritten: size)
        result.isOpaque = isOpaque
        result.shrinkage = shrinkage
        result.pendingOrientation = pendingOrientation
        unsafe withUnsafePixels { source in
            unsafe result.withUnsafeMutablePixels { target in
                unsafe target.update(from: source, count: size.byteCount)
            }
        }
        return result
    }

    package mutating func fill(_ color: Color) {
        let word = color.premultiplied.word
        let count = size.area
        unsafe withUnsafeMutableWords { words in
            unsafe words.update(repeating: word, count: count)
        }
        isOpaque = color.alpha == 255
    }
}

extension PixelBuffer {
    /// Multiplies every pixel's colour by its alpha, for decoders that produce straight colours.
    package mutating func premultiply() {
        guard !isOpaque else { return }
        let count = size.area
        unsafe withUnsafeMutablePixels { pixels in
            _ = unsafe Premultiplication.row(pixels, result: pixels, count: count)
        }
    }

    /// Sets `isOpaque` from the alpha of all pixels.
    package mutating func refreshOpacity() {
        let count = size.area
        isOpaque = unsafe withUnsafeWords { words in
            let opaque = UInt32(littleEndian: 0xFF00_0000)
            // Works in blocks: a picture with alpha usually shows it early, and the loop within a
            // block is branch-free.
            var index = 0
            while index < count {
                let end = min(index + 256, count)
                var all = opaque
                while index < end {
                    all &= unsafe words[index]
                    index += 1
                }
                if all & opaque != opaque { return false }
            }
            return true
        }
    }

    /// Replaces every colour by `color` and multiplies alpha by the colour's alpha.
    package mutating func tint(_ color: Color) {
        // One entry per alpha, so that each pixel needs one look-up.
        var table: [UInt32] = []
        table.reserveCapacity(256)
        for alpha in UInt8.min...UInt8.max {
            var shade = color
            shade.alpha = product255(alpha, color.alpha)
            table.append(shade.premultiplied.word)
        }
        let count = size.area
        unsafe withUnsafeMutableWords { words in
            unsafe table.withUnsafeBufferPointer { shades in
                for index in 0..<count {
                    let alpha = unsafe UInt32(littleEndian: words[index]) >> 24
                    unsafe words[index] = shades[Int(alpha)]
                }
            }
        }
        isOpaque = isOpaque && color.alpha == 255
    }
}

extension PixelBuffer {
    /// Erases the pixels that a mask covers; on the mask's edge, in proportion to the coverage. The
    /// mask's corner is at `x`, `y`; parts outside the picture are ignored.
    package mutating func erase(_ mask: CornerMask, x: Int, y: Int) {
        let columns = max(0, x)..<max(max(0, x), min(width, x + mask.size.width))
        let rows = max(0, y)..<max(max(0, y), min(height, y + mask.size.height))
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let stride = width
        unsafe withUnsafeMutableWords { words in
            for row in rows {
                for column in columns {
                    let coverage = mask.coverage(x: column - x, y: row - y)
                    guard coverage > 0 else { continue }
                    let pixel = unsafe words + row * stride + column
                    let word = unsafe UInt32(littleEndian: pixel.pointee)
                    unsafe pixel.pointee = UInt32(
                        littleEndian: scaled(word, by: 255 - UInt32(coverage)))
                }
            }
        }
        isOpaque = false
    }
}

extension PixelBuffer {
    /// Draws `picture` over this one with its corner at `x`, `y`; parts outside are ignored.
    package mutating func draw(
        _ picture: borrowing PixelBuffer, x: Int, y: Int, kernel: KernelChoice = .best
    ) {
        guard let span = overlap(of: picture.width, at: x, room: width),
            let rows = overlap(of: picture.height, at: y, room: height)
        else { return }
        let (stride, sourceStride) = (bytesPerRow, picture.bytesPerRow)
        let picturesOpaque = picture.isOpaque
        unsafe picture.withUnsafePixels { source in
            unsafe withUnsafeMutablePixels { target in
                for row in 0..<rows.count {
                    let from =
                        unsafe source + (rows.skipped + row) * sourceStride + span.skipped * 4
                    let to = unsafe target + (rows.start + row) * stride + span.start * 4
                    if picturesOpaque {
                        unsafe to.update(from: from, count: span.count * 4)
                    } else {
                        unsafe kernel.loops.pointee.composite_over(from, to, span.count)
                    }
                }
            }
        }
        if picturesOpaque && span.count == width && rows.count == height { isOpaque = true }
    }
}

/// Returns the part of `length` pixels, placed at `offset`, that is inside `0..<room`; nil if no
/// part is.
private func overlap(
    of length: Int, at offset: Int, room: Int
) -> (start: Int, skipped: Int, count: Int)? {
    guard offset < room, offset > -length else { return nil }
    let skipped = max(0, -offset)
    let start = max(0, offset)
    return (start, skipped, min(length - skipped, room - start))
}
