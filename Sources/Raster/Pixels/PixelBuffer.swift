import Glibc

/// A picture in memory: premultiplied RGBA, eight bits a channel, sRGB, rows without gaps.
///
/// The buffer owns its bytes and can be moved but not copied by accident; `copy()` says so when
/// a second one is meant.
@safe
package struct PixelBuffer: ~Copyable, Sendable {
    package private(set) var size: PixelSize
    /// Every pixel is known to be opaque. `false` promises nothing.
    package var isOpaque: Bool
    /// Set by a decoder that kept fewer pixels than the picture has.
    package var shrinkage: Shrinkage?
    /// Set by a decoder that left the turning to the resampler: how these rows come to stand
    /// upright.
    package var turn = Orientation.up
    /// Halves that a resampler may start from; the same picture, so no part of what it is.
    var halves: HalvedPicture?
    private nonisolated(unsafe) let base: UnsafeMutablePointer<UInt8>

    /// A buffer of transparent black. The caller has checked `size` against its limits.
    package init(size: PixelSize) {
        precondition(size.width > 0 && size.height > 0, "A pixel buffer has at least one pixel.")
        precondition(size.byteCount < .max, "The size of a pixel buffer overflows.")
        self.size = size
        isOpaque = false
        // The system hands out large blocks as zeros already: clearing them would touch each page.
        guard let block = unsafe calloc(size.byteCount, 1) else {
            preconditionFailure("There is no memory for a picture of \(size).")
        }
        unsafe base = block.bindMemory(to: UInt8.self, capacity: size.byteCount)
    }

    /// A buffer whose every byte the caller writes before any is read; clearing is spared.
    ///
    /// `spareBytes` follow the pixels and may be written as well.
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

    /// All rows, top to bottom: red, green, blue, alpha.
    package var pixels: Span<UInt8> {
        @_lifetime(borrow self) get {
            let span = unsafe Span(_unsafeStart: base, count: size.byteCount)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// All rows, to be written.
    package var mutablePixels: MutableSpan<UInt8> {
        @_lifetime(&self) mutating get {
            let span = unsafe MutableSpan(_unsafeStart: base, count: size.byteCount)
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }

    /// The bytes as a C library wants them, for the length of `body`.
    package mutating func withUnsafeMutablePixels<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(base)
    }

    /// The bytes as a C library wants them, for the length of `body`.
    package func withUnsafePixels<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafePointer(base))
    }

    /// Keeps the part `bounds` of the stored pixels. They move within their memory, as a copy of a
    /// large picture costs new pages.
    package mutating func crop(to bounds: PixelRect) {
        precondition(bounds.isInside(size), "The part lies inside the picture.")
        let first = unsafe base + bounds.y * bytesPerRow + bounds.x * 4
        let count = bounds.width * 4
        for row in 0..<bounds.height {
            unsafe (base + row * count).update(from: first + row * bytesPerRow, count: count)
        }
        size = bounds.size
        shrinkage = nil
        halves = nil
    }
}
