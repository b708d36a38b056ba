extension PixelBuffer {
    /// Turns the pixels as they still have to be.
    package mutating func turnUpright() {
        let turn = self.turn
        guard turn != .up else { return }
        self.turn = .up
        self = (consume self).oriented(by: turn)
    }

    /// The upright picture of these stored rows.
    ///
    /// An upright one is handed back as it is; any other takes a second buffer for the length of
    /// the call. What a decoder shrank to blocks must be even, as a cut one comes last.
    package consuming func oriented(by orientation: Orientation) -> PixelBuffer {
        if orientation == .up { return self }
        let size = orientation.upright(self.size)
        var result = PixelBuffer(unwritten: size)
        result.isOpaque = isOpaque
        result.shrinkage = orientation.transposes ? shrinkage?.transposed : shrinkage

        // Where the upright picture's first pixel is stored, and how far apart its neighbours are.
        let (across, down) = orientation.transposes ? (width, 1) : (1, width)
        let stepX = orientation.mirrorsColumns ? -across : across
        let stepY = orientation.mirrorsRows ? -down : down
        let first =
            (orientation.mirrorsColumns ? (size.width - 1) * across : 0)
            + (orientation.mirrorsRows ? (size.height - 1) * down : 0)

        unsafe withUnsafeWords { source in
            unsafe result.withUnsafeMutableWords { target in
                unsafe copyTiles(
                    from: source + first, stepX: stepX, stepY: stepY, to: target, size: size)
            }
        }
        return result
    }
}

/// Copies in square tiles, so that a quarter turn stays within the cache.
private func copyTiles(
    from source: UnsafePointer<UInt32>, stepX: Int, stepY: Int,
    to target: UnsafeMutablePointer<UInt32>, size: PixelSize
) {
    let side = 32
    for top in stride(from: 0, to: size.height, by: side) {
        let bottom = min(top + side, size.height)
        for left in stride(from: 0, to: size.width, by: side) {
            let right = min(left + side, size.width)
            for y in top..<bottom {
                var to = unsafe target + (y &* size.width &+ left)
                var from = unsafe source + (y &* stepY &+ left &* stepX)
                for _ in left..<right {
                    unsafe to.pointee = from.pointee
                    unsafe to += 1
                    unsafe from += stepX
                }
            }
        }
    }
}
