/// How much of a picture can be told from the colour behind it.
///
/// Each visible pixel is laid over the colour, and counts as clear where the contrast of WCAG 2
/// between the two is 1.5:1 or more. A picture of which fewer than one visible pixel in a hundred is
/// clear is not legible.
package struct Legibility: Hashable, Sendable {
    /// At least one in a hundred of the visible pixels stands out.
    package let isLegible: Bool

    /// The contrast at which a pixel stands out.
    package static let contrast = 1.5
    /// A sixteenth: what covers less is the rim of a shadow, and not seen.
    package static let leastAlpha: UInt8 = 16

    /// Looks at the pixels of `picture` until they suffice; at all of them where it is not legible,
    /// so a job for small ones.
    ///
    /// - Parameter tint: the colour that takes the place of the picture's own.
    package init(_ picture: borrowing PixelBuffer, tint: Color? = nil, over background: Color) {
        let judge = Judge(background)
        var verdicts: [Bool] = []
        if let tint {
            // The alpha alone decides: one verdict for each.
            verdicts = (UInt8.min...UInt8.max).map { alpha in
                var shade = tint
                shade.alpha = product255(alpha, tint.alpha)
                return judge.isClear(shade.premultiplied.word)
            }
        }
        let count = picture.size.area
        isLegible = unsafe picture.withUnsafeWords { words in
            var (visible, clear) = (0, 0)
            // Neighbours are mostly equal.
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
                // Enough, even if all the others are seen.
                if clear * 100 >= count { return true }
            }
            return clear > 0 && clear * 100 >= visible
        }
    }

    /// Holds pixels against one colour.
    private struct Judge {
        private static let redLight = SRGBCurve.light.map { $0 * 0.2126 }
        private static let greenLight = SRGBCurve.light.map { $0 * 0.7152 }
        private static let blueLight = SRGBCurve.light.map { $0 * 0.0722 }

        // At hand, for every pixel.
        private let red = Self.redLight
        private let green = Self.greenLight
        private let blue = Self.blueLight
        private let background: Color
        private let darker: Double
        private let lighter: Double

        init(_ background: Color) {
            self.background = background
            let light = background.relativeLuminance + 0.05
            darker = light / Legibility.contrast - 0.05
            lighter = light * Legibility.contrast - 0.05
        }

        /// The premultiplied pixel stands out.
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
