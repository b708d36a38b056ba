import Glibc

/// The curves of BT.2100, made for screens brighter than the one that sRGB means.
///
/// Light is counted in units of a white sheet of paper, 203 candela a square metre (BT.2408), which
/// sRGB shows as its brightest. To leave room for what is brighter, the brightest channel of a pixel
/// keeps its light up to half of that. From there it bends over, with x = (light − ½) / ½ and w the
/// same of 1,000 candela, the brightest that is told apart:
///
///     shown = ½ + ½ · x · (1 + x / w²) / (1 + x)
///
/// Paper comes out as 0.75 of the light of sRGB's white, 1,000 candela and more as all of it. The
/// other two channels are scaled by the same factor, so a bright pixel keeps its hue.
package enum BrightCurve: CaseIterable, Sendable {
    /// SMPTE ST 2084, "PQ".
    case perceptual
    /// ARIB STD-B67, "HLG", on a screen of 1,000 candela. Its gamma of 1.2 is applied to the brightest
    /// channel rather than to the luminance of all three, which is the same for greys.
    case hybrid

    private static let paper = 203.0
    private static let brightest = 1000.0
    private static let knee = 0.5

    /// The light of a grey sample on an sRGB screen, both from 0 to 1.
    private func light(_ sample: Double) -> Double {
        let light = scene(sample)
        return Self.shown((self == .hybrid ? Self.brightest * pow(light, 1.2) : light) / Self.paper)
    }

    /// The light of a sample: candela for PQ, a share of the brightest for HLG.
    private func scene(_ sample: Double) -> Double {
        switch self {
        case .perceptual:
            let power = pow(sample, 32 / 2523.0)
            let over = max(power - 107 / 128.0, 0)
            return 10_000 * pow(over / (2413 / 128.0 - 2392 / 128.0 * power), 8192 / 1305.0)
        case .hybrid:
            let a = 0.17883277
            return sample <= 0.5
                ? sample * sample / 3
                : (exp((sample - 0.5) / a + log(4 * a)) + 1 - 4 * a) / 12
        }
    }

    private static func shown(_ light: Double) -> Double {
        guard light > knee else { return light }
        let x = (light - knee) / (1 - knee)
        let w = (brightest / paper - knee) / (1 - knee)
        return min(1, knee + (1 - knee) * x * (1 + x / (w * w)) / (1 + x))
    }

    /// Tables for samples of eight bits.
    struct Tables: Sendable {
        private let scene: [Double]
        /// The factors from light to 65,535 steps of shown light, by the brightest sample of a pixel.
        private let gain: [Double]

        init(_ curve: BrightCurve) {
            let samples = (0...255).map { Double($0) / 255 }
            let scene = samples.map(curve.scene)
            self.scene = scene
            gain = zip(samples, scene).map { $1 > 0 ? curve.light($0) / $1 * 65535 : 0 }
        }

        /// Writes the shown light of pixels of four bytes as four numbers each.
        @unsafe
        func convert(
            _ pixels: UnsafePointer<UInt8>, _ count: Int, to light: UnsafeMutablePointer<UInt16>
        ) {
            for start in stride(from: 0, to: count * 4, by: 4) {
                let (red, green, blue) = unsafe (
                    Int(pixels[start]), Int(pixels[start + 1]), Int(pixels[start + 2])
                )
                let gain = gain[max(red, green, blue)]
                unsafe light[start] = UInt16((scene[red] * gain).rounded())
                unsafe light[start + 1] = UInt16((scene[green] * gain).rounded())
                unsafe light[start + 2] = UInt16((scene[blue] * gain).rounded())
                unsafe light[start + 3] = 0
            }
        }
    }
}
