import Raster
import Testing

@Suite("Orientation")
struct OrientationTests {
    /// The letter F stored in each of the eight orientations, as in the EXIF specification.
    static let stored: [(Orientation, [String])] = [
        (.up, ["###", "#..", "##.", "#..", "#.."]),
        (.upMirrored, ["###", "..#", ".##", "..#", "..#"]),
        (.down, ["..#", "..#", ".##", "..#", "###"]),
        (.downMirrored, ["#..", "#..", "##.", "#..", "###"]),
        (.leftMirrored, ["#####", "#.#..", "#...."]),
        (.right, ["#....", "#.#..", "#####"]),
        (.rightMirrored, ["....#", "..#.#", "#####"]),
        (.left, ["#####", "..#.#", "....#"]),
    ]

    static func picture(_ rows: [String]) -> PixelBuffer {
        let cells = rows.map { Array($0) }
        return Pictures.make(cells[0].count, cells.count, opaque: true) { x, y in
            cells[y][x] == "#" ? .black : .white
        }
    }

    @Test("each of the eight orientations gives the same upright letter", arguments: stored)
    func letters(orientation: Orientation, rows: [String]) {
        let picture = Self.picture(rows)
        let size = picture.size
        let upright = picture.oriented(by: orientation)
        #expect(upright.size == orientation.upright(size))
        #expect(upright.isOpaque == true)
        #expect(Pictures.bytes(upright) == Pictures.bytes(Self.picture(Self.stored[0].1)))
    }

    @Test("the eight orientations form the symmetry group of the square")
    func group() {
        let picture = Pictures.noise(67, 41, seed: 8)
        func apply(_ steps: Orientation...) -> [UInt8] {
            var result = picture.copy()
            for step in steps { result = result.oriented(by: step) }
            return Pictures.bytes(result)
        }
        // The orientations form a group: all eight differ, and they are closed with inverses.
        let all = Orientation.allCases.map { apply($0) }
        #expect(Set(all).count == 8)
        for first in Orientation.allCases {
            for second in Orientation.allCases {
                #expect(all.contains(apply(first, second)))
            }
            let inverse: Orientation =
                first == .right ? .left : first == .left ? .right : first
            #expect(apply(first, inverse) == Pictures.bytes(picture))
        }
    }
}

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
}
