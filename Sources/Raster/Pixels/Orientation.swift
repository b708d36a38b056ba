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
