import Raster
import Testing

@Suite("Rotation after scaling")
struct TurnTests {
    /// A fitted and a cropped size, with an odd remainder on each axis.
    static let targets: [(PixelSize, PixelRect?)] = [
        (PixelSize(width: 41, height: 30), nil),
        (PixelSize(width: 61, height: 44), PixelRect(x: 8, y: 0, width: 44, height: 44)),
        (PixelSize(width: 150, height: 110), PixelRect(x: 3, y: 7, width: 20, height: 31)),
    ]

    @Test("a picture rotated after scaling equals one rotated before", arguments: targets)
    func laws(target: PixelSize, window: PixelRect?) {
        for turn in Orientation.allCases {
            var stored = Pictures.photo(133, 97, seed: 5)
            let upright = stored.copy().oriented(by: turn)
            stored.pendingOrientation = turn
            let late = Resampler().resample(stored, to: target, visible: window)
            let early = Resampler().resample(upright, to: target, visible: window)
            let (size, isSettled) = (late.size, late.pendingOrientation == .up)
            #expect(size == early.size && isSettled)
            // Rounding between the passes depends on their order.
            let farthest = zip(Pictures.bytes(late), Pictures.bytes(early))
                .map { abs(Int($0) - Int($1)) }.max()
            #expect((farthest ?? 255) <= (turn.transposes ? 1 : 0), "\(turn)")
        }
    }

    @Test("the ThumbHash of a rotated picture is upright")
    func reduced() {
        var stored = Pictures.photo(120, 60, seed: 9)
        stored.pendingOrientation = .right
        let small = stored.reduced(to: 30)
        #expect(small.size == PixelSize(width: 15, height: 30))
    }
}
