import Codecs
import Raster
import Transport

/// A kind of picture that a preset is made of.
package enum SampleKind: String, CaseIterable, Hashable, Sendable {
    case logo, photo, webp, svg
}

/// A picture drawn on the spot, the same on every machine, for measuring where nobody brings any.
///
/// It is like what it stands for in size, transparency and density, not in beauty.
package struct SamplePicture: Sendable {
    /// Sides of a logo, in turn.
    private static let logoSides = [128, 200, 256, 320, 400, 512, 640, 1024]
    /// Widths of a photograph, in turn: 0.1 to 7 megapixels.
    private static let photoWidths = [400, 800, 1200, 1600, 2000, 2400, 3000, 640]

    package let kind: SampleKind
    package let number: Int

    package init(_ kind: SampleKind, _ number: Int) {
        self.kind = kind
        self.number = number
    }

    /// The file's name.
    package var name: String {
        let digits = String(number)
        let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        return switch kind {
        case .logo: "logo-\(padded).png"
        case .photo: "photo-\(padded).jpg"
        case .webp: "logo-\(padded).webp"
        case .svg: "drawing-\(padded).svg"
        }
    }

    /// The file's bytes.
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

    private static func side(_ sides: [Int], _ number: Int) -> Int { sides[number % sides.count] }

    /// A mark of three shapes on a transparent ground, with a soft course of colour.
    private func logo() -> PixelBuffer {
        let side = Self.side(Self.logoSides, number)
        let size = PixelSize(width: side, height: number % 3 == 0 ? max(side / 2, 64) : side)
        var dice = SampleDice(seed: UInt64(number))
        var buffer = PixelBuffer(size: size)
        for step in 0..<3 {
            var shape = PixelBuffer(size: size)
            shape.fillCourse(from: dice.color(), to: dice.color())
            let inset = Double(min(size.width, size.height)) * (0.06 + 0.13 * Double(step))
            let radius = Double(min(size.width, size.height)) * (step == 1 ? 0.5 : 0.2)
            shape.mask(
                by: CornerMask(size: size, radius: radius, style: .circular, inset: inset))
            buffer.draw(shape, x: 0, y: 0)
        }
        return buffer
    }

    /// Hills under a sky with the grain of a camera.
    private func photo() -> PixelBuffer {
        let width = Self.side(Self.photoWidths, number)
        var buffer = PixelBuffer(size: PixelSize(width: width, height: width * 3 / 4))
        var dice = SampleDice(seed: UInt64(number) &+ 1_000)
        buffer.fillScene(&dice)
        return buffer
    }

    private func drawing() -> String {
        var dice = SampleDice(seed: UInt64(number) &+ 2_000)
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="240" height="160" \
            viewBox="0 0 240 160"><rect width="240" height="160" rx="24" \
            fill="\(dice.color().hex)"/>
            """
        for _ in 0..<12 {
            let (x, y) = (dice.below(200), dice.below(120))
            text += """
                <path d="M\(x) \(y)c20 -\(dice.below(40)) 40 \(dice.below(40)) 40 20l-12 \
                \(dice.below(30))z" fill="\(dice.color().hex)" fill-opacity=".8"/>
                """
        }
        return text + "</svg>\n"
    }
}
