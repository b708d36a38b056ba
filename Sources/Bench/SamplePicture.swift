import Codecs
import Raster
import System
import Transport

package enum SampleKind: CaseIterable, Sendable {
    case logo, photo, webp, svg
}

/// A generated picture, identical on every machine, for measurements without the user's own
/// pictures.
///
/// It resembles real pictures in size, transparency and compressibility only.
package struct SamplePicture: Sendable {
    /// The sides of logos in pixels, used in turn.
    private static let logoSides = [128, 200, 256, 320, 400, 512, 640, 1024]
    /// The widths of photographs in pixels, used in turn: 0.1 to 7 megapixels.
    private static let photoWidths = [400, 800, 1200, 1600, 2000, 2400, 3000, 640]

    package let kind: SampleKind
    package let number: Int

    package init(_ kind: SampleKind, _ number: Int) {
        self.kind = kind
        self.number = number
    }

    package var name: String {
        let padded = String(String(10_000 + number).dropFirst())
        return switch kind {
        case .logo: "logo-\(padded).png"
        case .photo: "photo-\(padded).jpg"
        case .webp: "logo-\(padded).webp"
        case .svg: "drawing-\(padded).svg"
        }
    }

    package func bytes() throws(EncodeError) -> [UInt8] {
        switch kind {
        case .logo: try ImageEncoder.encode(logo(), EncodeSettings(format: .png))
        case .webp: try ImageEncoder.encode(logo(), EncodeSettings(format: .webp))
        case .photo:
            try ImageEncoder.encode(
                photo(), EncodeSettings(format: .jpeg, quality: .lossy(85)))
        case .svg: Array(drawing().utf8)
        }
    }

    /// Draws three shapes with gradients on a transparent background.
    private func logo() -> PixelBuffer {
        let side = Self.logoSides[number % Self.logoSides.count]
        let size = PixelSize(width: side, height: number % 3 == 0 ? max(side / 2, 64) : side)
        var dice = SeededRandom(seed: UInt64(number))
        var buffer = PixelBuffer(size: size)
        for step in 0..<3 {
            var shape = PixelBuffer(size: size)
            shape.fillGradient(from: dice.color(), to: dice.color())
            let inset = Double(min(size.width, size.height)) * (0.06 + 0.13 * Double(step))
            let radius = Double(min(size.width, size.height)) * (step == 1 ? 0.5 : 0.2)
            shape.mask(
                by: CornerMask(size: size, radius: radius, style: .circular, inset: inset))
            buffer.draw(shape, x: 0, y: 0)
        }
        return buffer
    }

    /// Draws hills under a sky, with noise like that of a camera.
    private func photo() -> PixelBuffer {
        let width = Self.photoWidths[number % Self.photoWidths.count]
        var buffer = PixelBuffer(size: PixelSize(width: width, height: width * 3 / 4))
        var dice = SeededRandom(seed: UInt64(number) &+ 1_000)
        buffer.fillScene(&dice)
        return buffer
    }

    private func drawing() -> String {
        var dice = SeededRandom(seed: UInt64(number) &+ 2_000)
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="240" height="160" \
            viewBox="0 0 240 160"><rect width="240" height="160" rx="24" \
            fill="\(dice.color().hex.lowercased())"/>
            """
        for _ in 0..<12 {
            let (x, y) = (dice.number(below: 200), dice.number(below: 120))
            text += """
                <path d="M\(x) \(y)c20 -\(dice.number(below: 40)) 40 \(dice.number(below: 40)) 40 20l-12 \
                \(dice.number(below: 30))z" fill="\(dice.color().hex.lowercased())" fill-opacity=".8"/>
                """
        }
        return text + "</svg>\n"
    }
}

extension SeededRandom {
    /// Returns a whole number from zero to `bound` - 1, the same on every machine.
    fileprivate mutating func number(below bound: Int) -> Int { Int(next() >> 33) % max(bound, 1) }

    fileprivate mutating func color() -> Color {
        Color(
            red: UInt8(number(below: 256)), green: UInt8(number(below: 256)),
            blue: UInt8(number(below: 256)))
    }
}

extension PixelBuffer {
    fileprivate mutating func fillGradient(from top: Color, to bottom: Color) {
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

    /// Fills the buffer with a sky, three ranges of hills, and noise.
    fileprivate mutating func fillScene(_ dice: inout SeededRandom) {
        let (width, height) = (self.width, self.height)
        let colors = (0..<4).map { _ in dice.color() }
        let slopes = (0..<3).map { _ in dice.number(below: height / 4 + 1) }
        isOpaque = true
        var pixels = mutablePixels
        for x in 0..<width {
            // The hills are triangles of three lengths in integer arithmetic, so that they are
            // equal on every machine.
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
