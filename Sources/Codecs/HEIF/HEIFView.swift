import Raster

/// The part of a canvas that is visible after the crops, rotations and mirrors of its item.
struct HEIFView {
    private(set) var window: PixelRect
    private(set) var orientation = Orientation.up

    init(of canvas: PixelSize) {
        window = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    }

    var size: PixelSize {
        orientation.upright(PixelSize(width: window.width, height: window.height))
    }

    mutating func add(_ transform: HEIFItems.Transform) {
        switch transform {
        case .orient(let other): orientation = orientation.followed(by: other)
        case .crop(let crop):
            guard let part = crop.window(in: size) else { return }
            let stored = orientation.stored(part, of: size)
            window = PixelRect(
                x: window.x + stored.x, y: window.y + stored.y, width: stored.width,
                height: stored.height)
        }
    }
}

extension HEIFItems {
    enum Transform {
        case crop(HEIFCrop)
        case orient(Orientation)
    }
}

extension HEIFItems.Transform {
    /// Reads a crop, rotation or mirror property; `nil` for properties of other kinds.
    init?(_ kind: Int, _ read: borrowing HEIFFields) {
        switch kind {
        case fourCC("irot"):
            // The angle counts anticlockwise.
            let turns: [Orientation] = [.up, .left, .down, .right]
            self = .orient(turns[(read.number(0, bytes: 1) ?? 0) & 3])
        case fourCC("imir"):
            let swapsSides = (read.number(0, bytes: 1) ?? 0) & 1 == 1
            self = .orient(swapsSides ? .upMirrored : .downMirrored)
        case fourCC("clap"):
            guard let crop = HEIFCrop(read) else { return nil }
            self = .crop(crop)
        default: return nil
        }
    }
}

/// A clean aperture: its size and the offset of its centre (ISO/IEC 14496-12, 12.1.4).
struct HEIFCrop {
    private let width: Fraction
    private let height: Fraction
    private let right: Fraction
    private let down: Fraction

    private struct Fraction {
        let numerator: Int
        let denominator: Int

        init?(_ read: borrowing HEIFFields, _ offset: Int) {
            guard let numerator = read.signed(offset),
                let denominator = read.number(offset + 4, bytes: 4),
                denominator > 0
            else { return nil }
            (self.numerator, self.denominator) = (numerator, denominator)
        }
    }

    /// Reads the body of the box; `nil` if a value is invalid.
    init?(_ read: borrowing HEIFFields) {
        guard let width = Fraction(read, 0), let height = Fraction(read, 8),
            let right = Fraction(read, 16), let down = Fraction(read, 24)
        else { return nil }
        (self.width, self.height, self.right, self.down) = (width, height, right, down)
    }

    /// Returns the visible pixels of an image of this size. Returns `nil` if the aperture is empty
    /// or outside the image; the image is then not cropped.
    func window(in size: PixelSize) -> PixelRect? {
        guard let (x, across) = Self.span(of: size.width, width, right),
            let (y, along) = Self.span(of: size.height, height, down)
        else { return nil }
        return PixelRect(x: x, y: y, width: across, height: along)
    }

    /// Returns the start and length of a part whose centre is `offset` pixels after the centre of
    /// the whole; nil if it is empty or not inside the whole.
    private static func span(of whole: Int, _ part: Fraction, _ offset: Fraction) -> (Int, Int)? {
        let length = part.numerator / part.denominator
        let begin =
            (Double(whole - length) / 2 + Double(offset.numerator) / Double(offset.denominator))
            .rounded(.down)
        guard length > 0, begin >= 0, begin + Double(length) <= Double(whole) else { return nil }
        return (Int(begin), length)
    }
}
