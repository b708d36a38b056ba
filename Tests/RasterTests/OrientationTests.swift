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

    @Test("orientations have the numbers of EXIF", arguments: 1...8)
    func numbers(number: Int) {
        #expect(Orientation(rawValue: number)?.transposes == (number >= 5))
    }

    @Test("orientations 0 and 9 do not exist")
    func bounds() {
        #expect(Orientation(rawValue: 0) == nil)
        #expect(Orientation(rawValue: 9) == nil)
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
        #expect(apply(.right, .right) == apply(.down))
        #expect(apply(.right, .right, .right) == apply(.left))
        #expect(apply(.upMirrored, .downMirrored) == apply(.down))
    }

    @Test("a rotated picture larger than a tile keeps every pixel", arguments: Orientation.allCases)
    func tiles(orientation: Orientation) {
        let picture = Pictures.noise(130, 75, seed: 21)
        let words = { (bytes: [UInt8]) in
            stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<($0 + 4)]) }
        }
        let before = words(Pictures.bytes(picture)).sorted { $0.lexicographicallyPrecedes($1) }
        let turned = picture.oriented(by: orientation)
        let after = words(Pictures.bytes(turned)).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(before == after)
    }
}
