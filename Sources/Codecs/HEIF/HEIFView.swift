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
