/// How stored pixels are turned to stand upright; the raw values are those of EXIF.
package enum Orientation: Int, CaseIterable, Hashable, Sendable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// Width and height change places.
    package var transposes: Bool { rawValue >= 5 }

    /// The upright picture's columns run against the stored ones (against the stored rows where
    /// the two change places).
    var mirrorsColumns: Bool {
        switch self {
        case .upMirrored, .down, .right, .rightMirrored: true
        default: false
        }
    }

    /// The upright picture's rows run against the stored ones, likewise.
    var mirrorsRows: Bool {
        switch self {
        case .down, .downMirrored, .rightMirrored, .left: true
        default: false
        }
    }

    /// Where the part `window` of an upright picture of `size` lies in the stored one.
    package func stored(_ window: PixelRect, of size: PixelSize) -> PixelRect {
        let x = mirrorsColumns ? size.width - window.x - window.width : window.x
        let y = mirrorsRows ? size.height - window.y - window.height : window.y
        return transposes
            ? PixelRect(x: y, y: x, width: window.height, height: window.width)
            : PixelRect(x: x, y: y, width: window.width, height: window.height)
    }

    /// The size of the upright picture whose stored rows measure `size`.
    package func upright(_ size: PixelSize) -> PixelSize {
        transposes ? size.transposed : size
    }

    /// One turn that does what this one and then another do.
    package func followed(by other: Orientation) -> Orientation {
        let corners = [(0, 0), (1, 0), (0, 1)]
        let result = Self.allCases.first { candidate in
            corners.allSatisfy { candidate.stored($0) == self.stored(other.stored($0)) }
        }
        guard let result else { preconditionFailure("Two turns are always a turn.") }
        return result
    }

    /// The stored corner that comes to stand in a corner, each coordinate being 0 or 1.
    private func stored(_ corner: (Int, Int)) -> (Int, Int) {
        let x = mirrorsColumns ? 1 - corner.0 : corner.0
        let y = mirrorsRows ? 1 - corner.1 : corner.1
        return transposes ? (y, x) : (x, y)
    }
}

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
