/// Whether a picture is visible on a background colour.
///
/// A pixel is clear if its contrast with the background is at least 1.5:1 (WCAG 2). A picture is
/// legible if at least 1 % of its visible pixels are clear.
package struct Legibility: Hashable, Sendable {
    package let isLegible: Bool

    package static let contrast = 1.5
    /// The least alpha of a visible pixel; fainter pixels belong to the rim of a shadow.
    package static let leastAlpha: UInt8 = 16

    /// Reads the pixels until the result is certain. An illegible picture is read whole, so pass a
    /// small one.
    ///
    /// - Parameter tint: the colour that replaces all colours of the picture.
    package init(_ picture: borrowing PixelBuffer, tint: Color? = nil, over background: Color) {
        let judge = Judge(background)
        var verdicts: [Bool] = []
        if let tint {
            // With a tint the verdict depends on alpha alone.
            verdicts = (UInt8.min...UInt8.max).map { alpha in
                var shade = tint
                shade.alpha = product255(alpha, tint.alpha)
                return judge.isClear(shade.premultiplied.word)
            }
        }
        let count = picture.size.area
        isLegible = unsafe picture.withUnsafeWords { words in
            var (visible, clear) = (0, 0)
            // Neighbouring pixels are mostly equal, so the last verdict is kept.
            var last: UInt32 = 0
            var verdict = false
            for index in 0..<count {
                let word = unsafe UInt32(littleEndian: words[index])
                let alpha = word >> 24
                guard alpha >= UInt32(Self.leastAlpha) else { continue }
                if word != last {
                    last = word
                    verdict = verdicts.isEmpty ? judge.isClear(word) : verdicts[Int(alpha)]
                }
                visible += 1
                guard verdict else { continue }
                clear += 1
                // The result is certain even if all other pixels are visible and not clear.
                if clear * 100 >= count { return true }
            }
            return clear > 0 && clear * 100 >= visible
        }
    }

    private struct Judge {
        private static let redLight = SRGBCurve.light.map { $0 * 0.2126 }
        private static let greenLight = SRGBCurve.light.map { $0 * 0.7152 }
        private static let blueLight = SRGBCurve.light.map { $0 * 0.0722 }

        // Copies of the static tables, for faster access per pixel.
        private let red = Self.redLight
        private let green = Self.greenLight
        private let blue = Self.blueLight
        private let background: Color
        /// A pixel with at most the luminance `darker`, or at least `lighter`, is clear.
        private let darker: Double
        private let lighter: Double

        init(_ background: Color) {
            self.background = background
            let light = background.relativeLuminance + 0.05
            darker = light / Legibility.contrast - 0.05
            lighter = light * Legibility.contrast - 0.05
        }

        func isClear(_ word: UInt32) -> Bool {
            let rest = 255 - UInt8(truncatingIfNeeded: word >> 24)
            func shown(_ shift: UInt32, _ back: UInt8) -> Int {
                min(255, Int(word >> shift & 255) + Int(product255(back, rest)))
            }
            let light =
                red[shown(0, background.red)] + green[shown(8, background.green)]
                + blue[shown(16, background.blue)]
            return light <= darker || light >= lighter
        }
    }
}
