import Raster
import System

/// Numbers that look like chance and are the same on every machine.
struct SampleDice {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func next() -> UInt64 { random.next() }

    /// A whole number from zero to one less than `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % max(bound, 1) }

    mutating func color() -> Color {
        Color(
            red: UInt8(below(256)), green: UInt8(below(256)), blue: UInt8(below(256)))
    }
}

extension Color {
    /// As a drawing writes it.
    var hex: String {
        let digits = Array("0123456789abcdef")
        return [red, green, blue].reduce("#") { text, value in
            text + String(digits[Int(value >> 4)]) + String(digits[Int(value & 15)])
        }
    }
}

extension PixelBuffer {
    /// Covers everything with a course of colours from top to bottom.
    mutating func fillCourse(from top: Color, to bottom: Color) {
        let (width, height) = (self.width, self.height)
        var pixels = mutablePixels
        for y in 0..<height {
            let share = y * 256 / height
            let row = [
                Self.mixed(top.red, bottom.red, share), Self.mixed(top.green, bottom.green, share),
                Self.mixed(top.blue, bottom.blue, share), 255,
            ]
            for x in 0..<width * 4 { pixels[y * width * 4 + x] = row[x & 3] }
        }
    }

    /// Sky, three ranges of hills, and grain.
    mutating func fillScene(_ dice: inout SampleDice) {
        let (width, height) = (self.width, self.height)
        let colors = (0..<4).map { _ in dice.color() }
        let slopes = (0..<3).map { _ in dice.below(height / 4 + 1) }
        isOpaque = true
        var pixels = mutablePixels
        for x in 0..<width {
            // Triangles of three lengths stand in for hills: whole numbers, the same everywhere.
            let edges = (0..<3).map { range in
                let length = max(width / (range + 2), 2)
                let rise = abs((x % length) - length / 2) * slopes[range] / length
                return height * (range + 2) / 5 + rise
            }
            for y in 0..<height {
                let range = edges.reduce(0) { $0 + (y > $1 ? 1 : 0) }
                let color = colors[range]
                let grain = Int(dice.next() >> 60) - 8 + (y * 40 / height)
                let at = (y * width + x) * 4
                pixels[at] = UInt8(clamping: Int(color.red) + grain)
                pixels[at + 1] = UInt8(clamping: Int(color.green) + grain)
                pixels[at + 2] = UInt8(clamping: Int(color.blue) + grain)
                pixels[at + 3] = 255
            }
        }
    }

    private static func mixed(_ from: UInt8, _ to: UInt8, _ share: Int) -> UInt8 {
        UInt8(clamping: Int(from) + (Int(to) - Int(from)) * share / 256)
    }
}
