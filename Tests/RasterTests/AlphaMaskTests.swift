import Raster
import Support
import System
import Testing

@Suite("Masks, margins and averages compared with plain loops")
struct AlphaMaskTests {
    /// Returns a picture with a random visible part and random transparent margins.
    private static func picture(_ seed: inout SeededRandom) -> PixelBuffer {
        let size = PixelSize(
            width: Int.random(in: 1...150, using: &seed),
            height: Int.random(in: 1...90, using: &seed))
        var picture = PixelBuffer(size: size)
        let left = Int.random(in: 0..<size.width, using: &seed)
        let top = Int.random(in: 0..<size.height, using: &seed)
        let right = Int.random(in: left..<size.width, using: &seed)
        let bottom = Int.random(in: top..<size.height, using: &seed)
        var pixels = picture.mutablePixels
        for y in top...bottom {
            for x in left...right where Int.random(in: 0..<3, using: &seed) > 0 {
                let alpha = UInt8.random(in: 0...255, using: &seed)
                for channel in 0..<3 {
                    pixels[(y * size.width + x) * 4 + channel] = .random(
                        in: 0...alpha, using: &seed)
                }
                pixels[(y * size.width + x) * 4 + 3] = alpha
            }
        }
        return picture
    }

    private static func visible(
        _ picture: borrowing PixelBuffer, from least: UInt8
    ) -> [(x: Int, y: Int)] {
        let pixels = picture.pixels
        var found: [(x: Int, y: Int)] = []
        for index in 0..<picture.size.area where pixels[index * 4 + 3] >= least {
            found.append((index % picture.width, index / picture.width))
        }
        return found
    }

    @Test("a mask has one bit for each visible pixel, and its outline encloses them")
    func mask() {
        var seed = SeededRandom(seed: TestSeed.value)
        for _ in 0..<20 {
            let picture = Self.picture(&seed)
            let least = UInt8.random(in: 1...255, using: &seed)
            let mask = AlphaMask(picture, leastAlpha: least)
            let visible = Self.visible(picture, from: least)
            #expect(mask.area == visible.count, "\(TestSeed.words)")
            #expect(visible.allSatisfy { mask.isVisible($0.x, $0.y) }, "\(TestSeed.words)")
            let (width, height) = (picture.width, picture.height)
            var rows = [(Int, Int)](repeating: (.max, -1), count: height)
            var columns = [(Int, Int)](repeating: (.max, -1), count: width)
            for (x, y) in visible {
                rows[y] = (min(rows[y].0, x), max(rows[y].1, x))
                columns[x] = (min(columns[x].0, y), max(columns[x].1, y))
            }
            var area = 0
            for y in 0..<height {
                for x in 0..<width
                where rows[y].0 <= x && x <= rows[y].1 && columns[x].0 <= y && y <= columns[x].1 {
                    area += 1
                }
            }
            #expect(mask.silhouette.area == area, "\(TestSeed.words)")
            #expect(
                (0..<height).allSatisfy { y in
                    mask.columns(ofRow: y) == (rows[y].1 < 0 ? nil : rows[y].0...rows[y].1)
                }, "\(TestSeed.words)")
            #expect(
                (0..<width).allSatisfy { x in
                    mask.rows(ofColumn: x) == (columns[x].1 < 0 ? nil : columns[x].0...columns[x].1)
                }, "\(TestSeed.words)")
            if let centroid = mask.centroid {
                let sum = visible.reduce((0.0, 0.0)) { ($0.0 + Double($1.x), $0.1 + Double($1.y)) }
                let count = Double(visible.count)
                #expect(abs(centroid.x - sum.0 / count - 0.5) < 1e-6, "\(TestSeed.words)")
                #expect(abs(centroid.y - sum.1 / count - 0.5) < 1e-6, "\(TestSeed.words)")
            }
            let depth = Int.random(in: 0...3, using: &seed)
            let inner = mask.eroded(by: depth)
            let isEroded = (0..<height).allSatisfy { y in
                (0..<width).allSatisfy { x in
                    let around = (-depth...depth).allSatisfy { down in
                        (-depth...depth).allSatisfy { mask.isVisible(x + $0, y + down) }
                    }
                    return inner.isVisible(x, y) == around
                }
            }
            #expect(isEroded, "\(TestSeed.words)")
            let box = mask.bounds
            #expect(box?.x == visible.map(\.x).min() && box?.y == visible.map(\.y).min())
            #expect((box.map { $0.x + $0.width - 1 }) == visible.map(\.x).max())
            #expect((box.map { $0.y + $0.height - 1 }) == visible.map(\.y).max())
            let first = Int.random(in: 0...width, using: &seed)
            let wanted = first..<Int.random(in: first...width, using: &seed)
            let row = Int.random(in: 0..<height, using: &seed)
            let differing = (0..<width).count { wanted.contains($0) != mask.isVisible($0, row) }
            #expect(
                mask.difference(fromColumns: wanted, row: row) == differing, "\(TestSeed.words)")
        }
    }

    @Test("visible bounds are the smallest rectangle with every visible pixel")
    func bounds() {
        var seed = SeededRandom(seed: TestSeed.value)
        for _ in 0..<20 {
            var picture = Self.picture(&seed)
            let visible = Self.visible(picture, from: UInt8(PixelBuffer.marginTolerance) + 1)
            let whole = PixelRect(picture.size)
            var wanted: PixelRect?
            if let left = visible.map(\.x).min(), let right = visible.map(\.x).max(),
                let top = visible.map(\.y).min(), let bottom = visible.map(\.y).max()
            {
                let bounds = PixelRect(
                    x: left, y: top, width: right - left + 1, height: bottom - top + 1)
                wanted = bounds == whole ? nil : bounds
            }
            let bounds = picture.visibleBounds
            #expect(bounds == wanted, "\(TestSeed.words)")
            guard let bounds else { continue }
            let part = picture.part(bounds)
            picture.crop(to: bounds)
            let isSame =
                part.size == picture.size
                && picture.pixels.indices.allSatisfy { part.pixels[$0] == picture.pixels[$0] }
            #expect(isSame, "\(TestSeed.words)")
        }
    }

    @Test("averages keep one colour, the mean, and premultiplied values", arguments: [1, 16, 128])
    func averages(edge: Int) {
        var seed = SeededRandom(seed: TestSeed.value)
        for _ in 0..<10 {
            let size = PixelSize(
                width: Int.random(in: 1...700, using: &seed),
                height: Int.random(in: 1...300, using: &seed))
            var plain = PixelBuffer(size: size)
            plain.fill(Color(red: 200, green: 3, blue: 90, alpha: 140))
            let color = (0..<4).map { plain.pixels[$0] }
            let small = plain.averaged(to: edge)
            #expect(max(small.width, small.height) == min(edge, max(size.width, size.height)))
            let isOfOneColor = (0..<small.size.area).allSatisfy { index in
                (0..<4).allSatisfy { small.pixels[index * 4 + $0] == color[$0] }
            }
            #expect(isOfOneColor, "\(size) to \(edge), \(TestSeed.words)")
        }
    }
}
