import Raster
import Support
import System

enum TestEmblem {
    static let kinds = 8

    /// Draws a premultiplied logo with coverage from a 4 x 4 grid.
    static func draw(_ kind: Int, on picture: inout PixelBuffer) {
        let width = picture.width
        let height = picture.height
        var dice = SeededRandom(seed: UInt64(kind))
        let ink = dice.bytes(3).map(Int.init)
        let paper = dice.bytes(3).map(Int.init)
        var pixels = picture.mutablePixels
        for y in 0..<height {
            for x in 0..<width {
                var inside = 0
                for sub in 0..<16 {
                    let u = Double(x * 4 + sub % 4 * 1) / Double(width * 4) - 0.5
                    let v = Double(y * 4 + sub / 4) / Double(height * 4) - 0.5
                    inside += covers(kind, u, v) ? 1 : 0
                }
                let offset = (y * width + x) * 4
                let coverage = (inside * 255 + 8) / 16
                for channel in 0..<3 {
                    var color = ink[channel]
                    if kind % 4 == 1 { color = (color * x + paper[channel] * (width - x)) / width }
                    if kind % 4 == 2 {
                        color = (color + x * 7 + y * 3 + Int(dice.next() % 4)) & 255
                    }
                    if kind == 7 { color = ink[0] }
                    if kind % 2 == 0 {
                        let mixed = color * coverage + paper[channel] * (255 - coverage)
                        pixels[offset + channel] = UInt8((mixed + 127) / 255)
                    } else {
                        pixels[offset + channel] = UInt8((color * coverage + 127) / 255)
                    }
                }
                pixels[offset + 3] = kind % 2 == 0 ? 255 : UInt8(coverage)
            }
        }
    }

    private static func covers(_ kind: Int, _ u: Double, _ v: Double) -> Bool {
        let distance = u * u + v * v
        switch kind % 3 {
        case 0: return distance < 0.2 && distance > 0.05
        case 1: return abs(u) + abs(v) < 0.45
        default: return distance < 0.16 || (abs(v) < 0.06 && abs(u) < 0.48)
        }
    }
}
