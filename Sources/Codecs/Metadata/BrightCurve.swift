import Glibc

/// The curves of BT.2100, made for screens brighter than the one that sRGB means.
///
/// Light is counted in units of a white sheet of paper, 203 candela a square metre (BT.2408), which
/// sRGB shows as its brightest. To leave room for what is brighter, each channel keeps its light up
/// to half of that. From there it bends over, with x = (light − ½) / ½ and w the same of 1,000
/// candela, the brightest that is told apart:
///
///     shown = ½ + ½ · x · (1 + x / w²) / (1 + x)
///
/// Paper comes out as 0.75 of the light of sRGB's white, 1,000 candela and more as all of it.
package enum BrightCurve: CaseIterable, Sendable {
    /// SMPTE ST 2084, "PQ".
    case perceptual
    /// ARIB STD-B67, "HLG", on a screen of 1,000 candela. Its gamma of 1.2 is applied to each channel
    /// alone rather than to the brightness of all three, which is the same for greys.
    case hybrid

    private static let paper = 203.0
    private static let brightest = 1000.0
    private static let knee = 0.5

    /// The light of a sample, both from 0 to 1, the light being that of an sRGB screen.
    package func light(_ sample: Double) -> Double {
        Self.shown(candela(sample) / Self.paper)
    }

    /// What a screen made for the curve would shine with.
    private func candela(_ sample: Double) -> Double {
        switch self {
        case .perceptual:
            let power = pow(sample, 32 / 2523.0)
            let over = max(power - 107 / 128.0, 0)
            return 10_000 * pow(over / (2413 / 128.0 - 2392 / 128.0 * power), 8192 / 1305.0)
        case .hybrid:
            let a = 0.17883277
            let scene =
                sample <= 0.5
                ? sample * sample / 3
                : (exp((sample - 0.5) / a + log(4 * a)) + 1 - 4 * a) / 12
            return Self.brightest * pow(scene, 1.2)
        }
    }

    private static func shown(_ light: Double) -> Double {
        guard light > knee else { return light }
        let x = (light - knee) / (1 - knee)
        let w = (brightest / paper - knee) / (1 - knee)
        return min(1, knee + (1 - knee) * x * (1 + x / (w * w)) / (1 + x))
    }
}
