import Codecs
import Glibc
import Raster
import Support
import Testing

/// The conversion from code points to sRGB in double precision, from the standards and without
/// profiles.
private enum NumbersReference {
    typealias Triple = [Double]

    /// The red, green, blue and white points of H.273, as x and y.
    static let gamuts: [Int: [(Double, Double)]] = [
        1: [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06), (0.3127, 0.3290)],
        5: [(0.64, 0.33), (0.29, 0.60), (0.15, 0.06), (0.3127, 0.3290)],
        6: [(0.63, 0.34), (0.31, 0.595), (0.155, 0.07), (0.3127, 0.3290)],
        9: [(0.708, 0.292), (0.17, 0.797), (0.131, 0.046), (0.3127, 0.3290)],
        11: [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06), (0.314, 0.351)],
        12: [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06), (0.3127, 0.3290)],
    ]
    static let transfers = [1, 4, 5, 6, 8, 13, 14, 15, 16, 18]

    static func sRGB(_ pixel: [UInt8], primaries: Int, transfer: Int) -> Triple {
        let light = pixel.prefix(3).map { linear(Double($0) / 255, transfer) }
        let xyz = apply(matrix(gamuts[primaries]!), light)
        let white = gamuts[primaries]![3]
        let adapted = adapt(xyz, from: white, to: gamuts[1]![3])
        return apply(inverse(matrix(gamuts[1]!)), adapted).map(encoded)
    }

    private static func linear(_ v: Double, _ transfer: Int) -> Double {
        switch transfer {
        case 4: return pow(v, 2.2)
        case 5: return pow(v, 2.8)
        case 8: return v
        default: return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
        }
    }

    private static func encoded(_ light: Double) -> Double {
        let l = min(max(light, 0), 1)
        return 255 * (l <= 0.0031308 ? 12.92 * l : 1.055 * pow(l, 1 / 2.4) - 0.055)
    }

    private static func xyz(_ point: (Double, Double)) -> Triple {
        [point.0 / point.1, 1, (1 - point.0 - point.1) / point.1]
    }

    private static func matrix(_ gamut: [(Double, Double)]) -> [Triple] {
        let columns = gamut.prefix(3).map(xyz)
        let rows = (0..<3).map { row in columns.map { $0[row] } }
        let scale = apply(inverse(rows), xyz(gamut[3]))
        return rows.map { zip($0, scale).map { $0 * $1 } }
    }

    /// Applies the Bradford adaptation from one white point to another.
    private static func adapt(
        _ color: Triple, from: (Double, Double), to: (Double, Double)
    ) -> Triple {
        let cones: [Triple] = [
            [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
        ]
        let (one, other) = (apply(cones, xyz(from)), apply(cones, xyz(to)))
        let seen = apply(cones, color)
        return apply(inverse(cones), (0..<3).map { seen[$0] * other[$0] / one[$0] })
    }

    private static func apply(_ m: [Triple], _ v: Triple) -> Triple {
        m.map { $0[0] * v[0] + $0[1] * v[1] + $0[2] * v[2] }
    }

    private static func inverse(_ m: [Triple]) -> [Triple] {
        func minor(_ r: Int, _ c: Int) -> Double {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3)
            return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        }
        let whole = (0..<3).reduce(0.0) { $0 + m[0][$1] * minor(0, $1) }
        return (0..<3).map { r in (0..<3).map { c in minor(c, r) / whole } }
    }
}

@Suite("CICP numbers in place of a profile")
struct ColorNumbersTests {
    static let colors: [[UInt8]] = [
        [0, 0, 0], [255, 255, 255], [128, 128, 128], [64, 64, 64], [32, 32, 32], [200, 200, 200],
        [255, 0, 0], [0, 255, 0], [0, 0, 255], [200, 100, 50], [50, 100, 200], [100, 200, 50],
        [16, 16, 16], [235, 235, 235], [220, 180, 140], [90, 30, 120],
    ]

    static var patches: PixelBuffer {
        var picture = PixelBuffer(size: PixelSize(width: 64, height: 16))
        var pixels = picture.mutablePixels
        for index in 0..<64 * 16 {
            for channel in 0..<3 { pixels[index * 4 + channel] = colors[index % 64 / 4][channel] }
            pixels[index * 4 + 3] = 255
        }
        picture.isOpaque = true
        return picture
    }

    private static func chunk(_ body: [UInt8]) -> [UInt8] {
        let part = Array("cICP".utf8) + body
        return PNGFile.big(UInt32(body.count)) + part + PNGFile.big(PNGFile.checksum(part))
    }

    /// Returns the patches that differ from the calculation by more than the tolerance.
    private static func faults(
        _ picture: borrowing PixelBuffer, primaries: Int, transfer: Int, within tolerance: Double
    ) -> [String] {
        var faults: [String] = []
        for (index, color) in colors.enumerated() {
            let found = pixel(picture, index * 4 + 2, 8)
            let wanted = NumbersReference.sRGB(color, primaries: primaries, transfer: transfer)
            let far = zip(found, wanted).contains { abs(Double($0) - $1) > tolerance }
            if far { faults.append("\(color): \(found), not \(wanted)") }
        }
        return faults
    }

    @Test("every pair of CICP primaries and transfer gives the calculated colours")
    func everyPair() throws {
        for primaries in NumbersReference.gamuts.keys.sorted() {
            for transfer in NumbersReference.transfers {
                var png = try ImageEncoder.encode(Self.patches, EncodeSettings(format: .png))
                let body = [UInt8(primaries), UInt8(transfer), 0, 1]
                png.insert(contentsOf: Self.chunk(body), at: 33)
                let decoded = try decode(png)
                let faults = Self.faults(
                    decoded, primaries: primaries, transfer: transfer, within: 1)
                #expect(faults.isEmpty, "\(primaries)/\(transfer)")
            }
        }
    }

    @Test("CICP numbers of a PNG that do not fit its pixels are ignored")
    func leftOut() throws {
        let plain = try ImageEncoder.encode(Self.patches, EncodeSettings(format: .png))
        for body: [UInt8] in [
            [9, 16, 9, 1], [9, 16, 0, 0], [9, 16, 0], [9, 9, 0, 1], [2, 2, 0, 1], [1, 13, 0, 1],
        ] {
            var png = plain
            png.insert(contentsOf: Self.chunk(body), at: 33)
            #expect(try readHeader(png).hasProfile == false)
            #expect(Outcome(png) == Outcome(plain))
        }
    }

    @Test("matrices, ranges and depths of AVIF give the calculated colours")
    func planes() throws {
        let folder = try ScratchFolder()
        let png = try folder.write(
            ImageEncoder.encode(Self.patches, EncodeSettings(format: .png)), to: "p.png")
        let avif = folder.path("p.avif")
        for (matrix, chroma) in [
            (0, "444"), (1, "444"), (1, "420"), (5, "422"), (6, "420"), (9, "444"), (9, "420"),
        ] {
            for range in ["full", "limited"] {
                for depth in ["8", "10"] {
                    for (primaries, transfer) in [(1, 13), (12, 13)] {
                        let ending = try Tool.run(
                            "/usr/bin/avifenc",
                            [
                                "--min", "0", "--max", "0", "-s", "9", "-d", depth, "-y", chroma,
                                "-r", range, "--cicp", "\(primaries)/\(transfer)/\(matrix)", png,
                                avif,
                            ])
                        #expect(ending.status == 0, "\(ending.errors)")
                        let decoded = try decode(TestFile.read(avif))
                        let faults = Self.faults(
                            decoded, primaries: primaries, transfer: transfer, within: 6)
                        let name = "\(primaries)/\(transfer)/\(matrix) \(chroma) \(range) \(depth)"
                        #expect(faults.isEmpty, "\(name)")
                    }
                }
            }
        }
    }
}
