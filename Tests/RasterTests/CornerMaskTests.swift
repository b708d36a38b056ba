import Glibc
import Raster
import Testing

@Suite("Rounded corners")
struct CornerMaskTests {
    struct Shape: Sendable, CustomStringConvertible {
        var width: Int
        var height: Int
        var radius: Double
        var style: CornerStyle
        var inset = 0.0

        var mask: CornerMask {
            CornerMask(
                size: PixelSize(width: width, height: height), radius: radius, style: style,
                inset: inset)
        }
        var description: String { "\(width)x\(height) r\(radius) \(style) inset \(inset)" }
    }

    static let shapes: [Shape] = CornerStyle.allCases.flatMap { style in
        [
            Shape(width: 40, height: 40, radius: 8, style: style),
            Shape(width: 48, height: 48, radius: 12, style: style),
            Shape(width: 81, height: 40, radius: 7.25, style: style),
            Shape(width: 41, height: 41, radius: 20.5, style: style),
            Shape(width: 41, height: 60, radius: 99, style: style),
            Shape(width: 1, height: 1, radius: 1, style: style),
            Shape(width: 48, height: 48, radius: 12, style: style, inset: 2),
            Shape(width: 48, height: 31, radius: 12, style: style, inset: 1.5),
            Shape(width: 9, height: 7, radius: 2, style: style, inset: 3.25),
        ]
    }

    /// Returns the coverage by counting 40 x 40 points of the pixel.
    private func counted(_ shape: Shape, _ x: Int, _ y: Int) -> Double {
        let half = Double(min(shape.width, shape.height)) / 2
        let radius = max(0, min(shape.radius, half) - shape.inset)
        let wanted =
            shape.style == .circular
            ? radius : radius * (1 - 0.5.squareRoot()) / (1 - pow(0.5, 1.0 / 3))
        let reach = min(wanted, half - shape.inset)
        let samples = 40
        var inside = 0
        for i in 0..<samples {
            for j in 0..<samples {
                let px = Double(x) + (Double(i) + 0.5) / Double(samples)
                let py = Double(y) + (Double(j) + 0.5) / Double(samples)
                // The distances from the nearer edges, and from there into the corner.
                let dx = min(px, Double(shape.width) - px) - shape.inset
                let dy = min(py, Double(shape.height) - py) - shape.inset
                guard dx >= 0, dy >= 0 else { continue }
                let (u, v) = (max(0, reach - dx), max(0, reach - dy))
                let under =
                    shape.style == .circular
                    ? u * u + v * v <= reach * reach
                    : u * u * u + v * v * v <= reach * reach * reach
                if under { inside += 1 }
            }
        }
        return Double(inside) / Double(samples * samples) * 255
    }

    @Test("the coverage of a corner pixel is its area inside the rectangle", arguments: shapes)
    func area(shape: Shape) {
        let mask = shape.mask
        // Another test checks that the other three corners are mirror images.
        for y in 0..<((shape.height + 1) / 2) {
            for x in 0..<((shape.width + 1) / 2) {
                let difference = abs(Double(mask.coverage(x: x, y: y)) - counted(shape, x, y))
                #expect(difference < 3.5, "\(x), \(y)")
            }
        }
    }

    @Test("a corner mask equals its mirror images and its transposition", arguments: shapes)
    func symmetry(shape: Shape) {
        let mask = shape.mask
        let turned = CornerMask(
            size: mask.size.transposed, radius: shape.radius, style: shape.style,
            inset: shape.inset)
        for y in 0..<shape.height {
            for x in 0..<shape.width {
                let value = mask.coverage(x: x, y: y)
                #expect(value == mask.coverage(x: shape.width - 1 - x, y: y))
                #expect(value == mask.coverage(x: x, y: shape.height - 1 - y))
                #expect(value == turned.coverage(x: y, y: x))
            }
        }
    }

    @Test("an invalid radius cuts nothing", arguments: [0, -4, -Double.infinity, Double.nan])
    func full(radius: Double) {
        let mask = CornerMask(
            size: PixelSize(width: 6, height: 5), radius: radius, style: .circular, inset: radius)
        #expect(mask.isFull)
        var picture = Pictures.noise(6, 5, seed: 1, opaque: true)
        let before = Pictures.bytes(picture)
        picture.mask(by: mask)
        picture.paint(.black, outside: mask)
        #expect(Pictures.bytes(picture) == before)
        #expect(picture.isOpaque == true)
    }

    @Test("the continuous corner is as deep as the circular one, but begins earlier")
    func depth() {
        let size = PixelSize(width: 200, height: 200)
        let circular = CornerMask(size: size, radius: 50, style: .circular)
        let continuous = CornerMask(size: size, radius: 50, style: .continuous)
        func cut(_ mask: CornerMask, _ pixels: (Int) -> (Int, Int)) -> Int {
            (0..<100).reduce(0) { sum, index in
                let (x, y) = pixels(index)
                return sum + 255 - Int(mask.coverage(x: x, y: y))
            }
        }
        let diagonal = abs(cut(circular) { ($0, $0) } - cut(continuous) { ($0, $0) })
        #expect(diagonal <= 4)
        #expect(cut(continuous) { ($0, 0) } > cut(circular) { ($0, 0) })
        #expect(circular.coverage(x: 50, y: 0) == 255)
        #expect(continuous.coverage(x: 52, y: 0) < 255)
        #expect(continuous.coverage(x: 71, y: 0) == 255)
    }

    @Test("a corner mask multiplies every pixel by its coverage", arguments: shapes)
    func masking(shape: Shape) {
        let mask = shape.mask
        let before = Pictures.noise(shape.width, shape.height, seed: 3)
        var after = before.copy()
        after.mask(by: mask)
        #expect(after.isOpaque == false)
        for y in 0..<shape.height {
            for x in 0..<shape.width {
                let coverage = Int(mask.coverage(x: x, y: y))
                func scaled(_ value: UInt8) -> UInt8 { UInt8((Int(value) * coverage + 127) / 255) }
                let pixel = Pictures.pixel(before, x, y)
                #expect(
                    Pictures.pixel(after, x, y)
                        == Color(
                            red: scaled(pixel.red), green: scaled(pixel.green),
                            blue: scaled(pixel.blue), alpha: scaled(pixel.alpha)))
            }
        }
    }

    @Test(
        "a border covers exactly the area outside its inner edge", arguments: shapes)
    func border(shape: Shape) {
        let mask = shape.mask
        let before = Pictures.noise(shape.width, shape.height, seed: 5)
        for color in [
            Color(red: 200, green: 100, blue: 0), Color(red: 9, green: 99, blue: 199, alpha: 90),
        ] {
            var after = before.copy()
            after.paint(color, outside: mask)
            for y in 0..<shape.height {
                for x in 0..<shape.width {
                    let coverage = mask.coverage(x: x, y: y)
                    let (old, new) = (Pictures.pixel(before, x, y), Pictures.pixel(after, x, y))
                    if coverage == 255 {
                        #expect(new == old)
                    } else {
                        var front = color
                        front.alpha = UInt8(
                            (Int(color.alpha) * (255 - Int(coverage)) + 127) / 255)
                        let rest = 255 - Int(front.alpha)
                        let alpha = Int(front.alpha) + (Int(old.alpha) * rest + 127) / 255
                        #expect(Int(new.alpha) == alpha)
                        let red = Int(front.premultiplied.red) + (Int(old.red) * rest + 127) / 255
                        #expect(Int(new.red) == red)
                        #expect(max(new.red, new.green, new.blue) <= new.alpha)
                    }
                }
            }
        }
    }
}
