import Glibc
import Raster
import Support
import System

extension Pictures {
    enum Logo: String, CaseIterable, Sendable {
        case rings, bars, star, checks, text

        /// Returns the colour at a point of the unit square, or nil if it is unpainted.
        func paint(_ x: Double, _ y: Double) -> Color? {
            let blue = Color(red: 10, green: 95, blue: 255)
            let red = Color(red: 230, green: 20, blue: 30)
            let (u, v) = (x - 0.5, y - 0.5)
            let distance = (u * u + v * v).squareRoot()
            switch self {
            case .rings:
                guard distance < 0.48 else { return nil }
                return distance > 0.36 ? blue : distance > 0.24 ? nil : .white
            case .bars:
                guard abs(u) < 0.45, abs(v) < 0.45 else { return nil }
                return Int((x + y) * 24) % 2 == 0 ? red : .black
            case .star:
                let spikes = 0.28 + 0.18 * cos(atan2(v, u) * 7)
                return distance < spikes ? (u > 0 ? red : .white) : nil
            case .checks:
                return (Int(x * 32) + Int(y * 32)) % 2 == 0 ? .white : nil
            case .text:
                let (column, row) = (Int(x * 40), Int(y * 14))
                let bit = (column * 7 + row * 13 + column * row) % 5
                return row % 3 == 0 || bit < 2 ? nil : .black
            }
        }

        /// Draws the logo with 4 x 4 samples per pixel.
        func drawn(_ width: Int, _ height: Int) -> PixelBuffer {
            Pictures.make(width, height) { x, y in
                var sum = SIMD4<Int>.zero
                for sample in 0..<16 {
                    let across = (Double(x) + (Double(sample % 4) + 0.5) / 4) / Double(width)
                    let down = (Double(y) + (Double(sample / 4) + 0.5) / 4) / Double(height)
                    if let color = paint(across, down) {
                        sum &+= SIMD4(Int(color.red), Int(color.green), Int(color.blue), 1)
                    }
                }
                guard sum.w > 0 else { return .clear }
                return Color(
                    red: UInt8(sum.x / sum.w), green: UInt8(sum.y / sum.w),
                    blue: UInt8(sum.z / sum.w), alpha: UInt8(sum.w * 255 / 16))
            }
        }
    }

    /// Makes a picture like a photograph: smooth shades, a few edges, grain.
    static func photo(_ width: Int, _ height: Int, seed: UInt64) -> PixelBuffer {
        var random = SeededRandom(seed: seed)
        return make(width, height, opaque: true) { x, y in
            let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
            let grain = Double(random.number(in: -9...9))
            let sky = v < 0.4 + 0.1 * sin(u * 9) ? 60.0 : 0
            func level(_ phase: Double) -> UInt8 {
                let wave = 90 + 50 * sin(u * 11 + phase) + 40 * cos(v * 17 - phase * 2)
                return UInt8(min(255, max(0, wave + sky + grain)))
            }
            return Color(red: level(0), green: level(1.3), blue: level(2.1))
        }
    }
}
