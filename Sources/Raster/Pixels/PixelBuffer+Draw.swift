#if arch(x86_64)
    import CKernels
#endif

extension PixelBuffer {
    /// Lays `picture` over this one, its corner at `x`, `y`; what lies outside is left off.
    package mutating func draw(
        _ picture: borrowing PixelBuffer, x: Int, y: Int, kernel: KernelChoice = .best
    ) {
        guard let span = overlap(of: picture.width, at: x, room: width),
            let rows = overlap(of: picture.height, at: y, room: height)
        else { return }
        let (stride, sourceStride) = (width, picture.width)
        let picturesOpaque = picture.isOpaque
        unsafe picture.withUnsafeWords { source in
            unsafe withUnsafeMutableWords { target in
                for row in 0..<rows.count {
                    let from = unsafe source + (rows.skipped + row) * sourceStride + span.skipped
                    let to = unsafe target + (rows.start + row) * stride + span.start
                    if picturesOpaque {
                        unsafe to.update(from: from, count: span.count)
                    } else {
                        unsafe drawRow(from, over: to, count: span.count, kernel)
                    }
                }
            }
        }
        if picturesOpaque && span.count == width && rows.count == height { isOpaque = true }
    }
}

/// The part of a stretch that lies in `0..<room`; nil where it misses it.
private func overlap(
    of length: Int, at offset: Int, room: Int
) -> (start: Int, skipped: Int, count: Int)? {
    guard offset < room, offset > -length else { return nil }
    let skipped = max(0, -offset)
    let start = max(0, offset)
    return (start, skipped, min(length - skipped, room - start))
}

/// Source-over of premultiplied pixels, each product rounded to the nearest.
private func drawRow(
    _ source: UnsafePointer<UInt32>, over target: UnsafeMutablePointer<UInt32>, count: Int,
    _ kernel: KernelChoice
) {
    var done = 0
    #if arch(x86_64)
        if kernel == .best && AVX2Kernel.isThere {
            done = unsafe emb_draw_avx2(
                UnsafeRawPointer(source).assumingMemoryBound(to: UInt8.self),
                UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt8.self), count)
        }
    #endif
    for index in done..<count {
        let front = unsafe UInt32(littleEndian: source[index])
        let alpha = front >> 24
        if alpha == 255 {
            unsafe target[index] = source[index]
        } else if front != 0 {
            // The sum passes 255 only where the picture broke the rule that colour <= alpha.
            let back = unsafe scaled(UInt32(littleEndian: target[index]), by: 255 - alpha)
            unsafe target[index] = UInt32(littleEndian: saturatingSum(front, back))
        }
    }
}
