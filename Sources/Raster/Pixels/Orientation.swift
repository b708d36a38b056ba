/// The transformation that makes stored pixels upright; the raw values are those of EXIF.
package enum Orientation: Int, CaseIterable, Hashable, Sendable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    package var transposes: Bool { rawValue >= 5 }

    /// Whether the columns of the upright picture run opposite to the stored columns, or to the
    /// stored rows if the orientation exchanges rows and columns.
    var mirrorsColumns: Bool {
        switch self {
        case .upMirrored, .down, .right, .rightMirrored: true
        default: false
        }
    }

    /// Whether the rows of the upright picture run opposite to the stored rows, or to the stored
    /// columns if the orientation exchanges rows and columns.
    var mirrorsRows: Bool {
        switch self {
        case .down, .downMirrored, .rightMirrored, .left: true
        default: false
        }
    }

    /// Returns the stored rectangle of the part `window` of an upright picture of `size`.
    package func stored(_ window: PixelRect, of size: PixelSize) -> PixelRect {
        let x = mirrorsColumns ? size.width - window.x - window.width : window.x
        let y = mirrorsRows ? size.height - window.y - window.height : window.y
        return transposes
            ? PixelRect(x: y, y: x, width: window.height, height: window.width)
            : PixelRect(x: x, y: y, width: window.width, height: window.height)
    }

    /// Returns the size of the upright picture for a stored `size`.
    package func upright(_ size: PixelSize) -> PixelSize {
        transposes ? size.transposed : size
    }

    /// Returns the orientation that applies this one first and then `other`.
    package func followed(by other: Orientation) -> Orientation {
        let corners = [(0, 0), (1, 0), (0, 1)]
        let result = Self.allCases.first { candidate in
            corners.allSatisfy { candidate.stored($0) == self.stored(other.stored($0)) }
        }
        guard let result else { preconditionFailure("Two orientations make an orientation.") }
        return result
    }

    /// Returns the stored corner for a corner of the upright picture; coordinates are 0 or 1.
    private func stored(_ corner: (Int, Int)) -> (Int, Int) {
        let x = mirrorsColumns ? 1 - corner.0 : corner.0
        let y = mirrorsRows ? 1 - corner.1 : corner.1
        return transposes ? (y, x) : (x, y)
    }
}

extension PixelBuffer {
    package mutating func applyPendingOrientation() {
        let orientation = pendingOrientation
        guard orientation != .up else { return }
        pendingOrientation = .up
        self = (consume self).oriented(by: orientation)
    }

    /// Returns the upright picture of these stored rows.
    ///
    /// Any orientation but `.up` needs a second buffer during the call. For a picture that a
    /// decoder shrank, `shrinkage.isEven` must hold, because an incomplete block must come last.
    package consuming func oriented(by orientation: Orientation) -> PixelBuffer {
        if orientation == .up { return self }
        let size = orientation.upright(self.size)
        var result = PixelBuffer(unwritten: size)
        result.isOpaque = isOpaque
        result.shrinkage = orientation.transposes ? shrinkage?.transposed : shrinkage

        // The offset of the upright picture's first pixel in the stored pixels, and the steps to
        // its right and lower neighbour.
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

/// Copies the pixels in square tiles, so that rotations by 90° use the cache well.
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
