import Glibc

/// The transfer curves of BT.2100 (HDR), with tone mapping to sRGB.
///
/// Light is measured in units of diffuse white, 203 candela per square metre (BT.2408), which is
/// sRGB's maximum. To leave room for highlights, the brightest channel of a pixel is unchanged up
/// to ½. Above ½, the curve compresses light up to 1,000 candela, the brightest level that it
/// distinguishes. With x = (light − ½) / ½, and w = x for 1,000 candela:
///
///     shown = ½ + ½ · x · (1 + x / w²) / (1 + x)
///
/// Diffuse white maps to 0.75 of the light of sRGB white, and 1,000 candela or more maps to all of
/// it. The other two channels are scaled by the same factor, so that a bright pixel keeps its hue.
package enum BrightCurve: CaseIterable, Sendable {
    /// SMPTE ST 2084, "PQ".
    case perceptual
    /// ARIB STD-B67, "HLG", on a display of 1,000 candela. Its gamma of 1.2 is applied to the
    /// brightest channel, not to the luminance; both are equal for greys.
    case hybrid

    private static let diffuseWhite = 203.0
    private static let brightest = 1000.0
    private static let knee = 0.5

    /// Returns the light of a grey sample on an sRGB display; both are from 0 to 1.
    private func light(_ sample: Double) -> Double {
        let light = scene(sample)
        let candela = self == .hybrid ? Self.brightest * pow(light, 1.2) : light
        return Self.shown(candela / Self.diffuseWhite)
    }

    /// Returns the light of a sample: candela for PQ, a share of the maximum for HLG.
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

    /// Applies the tone-mapping formula of `BrightCurve` to light in units of diffuse white.
    private static func shown(_ light: Double) -> Double {
        guard light > knee else { return light }
        let x = (light - knee) / (1 - knee)
        let w = (brightest / diffuseWhite - knee) / (1 - knee)
        return min(1, knee + (1 - knee) * x * (1 + x / (w * w)) / (1 + x))
    }

    /// A curve as tables for eight-bit samples.
    struct Tables: Sendable {
        /// The light of each sample value.
        private let scene: [Double]
        /// The factor from light to displayed light, by the brightest sample of a pixel. Displayed
        /// light ranges from 0 to 65,535.
        private let gain: [Double]

        init(_ curve: BrightCurve) {
            let samples = (0...255).map { Double($0) / 255 }
            let scene = samples.map(curve.scene)
            self.scene = scene
            gain = zip(samples, scene).map { $1 > 0 ? curve.light($0) / $1 * 65535 : 0 }
        }

        /// Writes the displayed light of four-byte pixels as four numbers each.
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
