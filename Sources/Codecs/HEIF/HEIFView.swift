import Raster

/// What is seen of a decoded picture: a part of its stored pixels, turned.
struct HEIFView {
    /// In pixels of the canvas.
    private(set) var window: PixelRect
    private(set) var turn = Orientation.up

    /// The whole canvas, upright.
    init(of canvas: PixelSize) {
        window = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    }

    /// The size that is seen.
    var size: PixelSize {
        turn.upright(PixelSize(width: window.width, height: window.height))
    }

    /// Crops or turns what is seen so far.
    mutating func add(_ move: HEIFItems.Move) {
        switch move {
        case .turn(let other): turn = turn.followed(by: other)
        case .crop(let crop):
            guard let part = crop.window(in: size) else { return }
            let stored = turn.stored(part, of: size)
            window = PixelRect(
                x: window.x + stored.x, y: window.y + stored.y, width: stored.width,
                height: stored.height)
        }
    }
}

extension HEIFItems {
    /// One of the properties that crop, turn or mirror a picture.
    enum Move {
        case crop(HEIFCrop)
        case turn(Orientation)
    }
}

extension HEIFItems.Move {
    /// What a property of this kind does to a picture; `nil` for all others.
    init?(_ kind: Int, _ read: borrowing HEIFFields) {
        switch kind {
        case fourCC("irot"):
            // Against the clock.
            let turns: [Orientation] = [.up, .left, .down, .right]
            self = .turn(turns[(read.number(0, bytes: 1) ?? 0) & 3])
        case fourCC("imir"):
            let swapsSides = (read.number(0, bytes: 1) ?? 0) & 1 == 1
            self = .turn(swapsSides ? .upMirrored : .downMirrored)
        case fourCC("clap"):
            guard let crop = HEIFCrop(read) else { return nil }
            self = .crop(crop)
        default: return nil
        }
    }
}
