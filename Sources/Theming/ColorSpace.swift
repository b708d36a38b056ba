import Notation
import Raster

/// A colour object of format 2025.10: a colour space, components, alpha and a fallback.
enum ColorObject {
    /// Returns the colour in sRGB. A colour outside sRGB is replaced by its `hex`, or else each
    /// component is clamped. A colour of an unsupported space is replaced by its `hex`.
    static func color(_ value: JSON) -> Color? {
        var alpha: UInt8?
        if let member = value["alpha"] {
            guard let number = channel(member), (0...1).contains(number) else { return nil }
            alpha = byte(number)
        }
        var fallback: Color?
        if let text = value["hex"]?.stringValue { fallback = Color(hex: text) }
        guard var color = inSRGB(value, fallback) else { return nil }
        if let alpha { color.alpha = alpha }
        return color
    }

    /// Returns whether the colour's space is unsupported and it has no `hex` fallback.
    static func hasOtherSpace(_ value: JSON) -> Bool {
        guard let name = value["colorSpace"]?.stringValue else { return false }
        return ColorSpace(rawValue: name) == nil && value["hex"] == nil
    }

    private static func inSRGB(_ value: JSON, _ fallback: Color?) -> Color? {
        guard let space = value["colorSpace"]?.stringValue.flatMap(ColorSpace.init) else {
            return fallback
        }
        guard let elements = value["components"]?.elements, elements.count == 3 else { return nil }
        var components = SIMD3<Double>()
        for (index, element) in elements.enumerated() {
            guard let number = channel(element), number.magnitude <= 1_000 else { return nil }
            components[index] = number
        }
        guard space.allows(components) else { return nil }
        let found = space.encoded(components)
        let isShown = (0..<3).allSatisfy { (-0.002...1.002).contains(found[$0]) }
        if !isShown, let fallback { return fallback }
        return Color(red: byte(found[0]), green: byte(found[1]), blue: byte(found[2]))
    }

    /// Reads a component; `none` is zero.
    private static func channel(_ value: JSON) -> Double? {
        value.stringValue == "none" ? 0 : value.doubleValue
    }

    private static func byte(_ share: Double) -> UInt8 {
        UInt8((min(1, max(0, share)) * 255 + 0.5).rounded(.down))
    }
}

/// A colour space of the W3C format that can be converted to sRGB. Conversions use exact IEEE
/// operations only, so that every processor gets the same bytes.
enum ColorSpace: String, CaseIterable {
    case srgb, hsl, hwb, lab, lch, oklab, oklch
    case linear = "srgb-linear"
    case displayP3 = "display-p3"
    case xyzD50 = "xyz-d50"
    case xyzD65 = "xyz-d65"

    /// Returns whether the components are in the ranges that the format defines.
    func allows(_ value: SIMD3<Double>) -> Bool {
        switch self {
        case .srgb, .linear, .displayP3: (0..<3).allSatisfy { (0...1).contains(value[$0]) }
        case .hsl, .hwb: (0...100).contains(value[1]) && (0...100).contains(value[2])
        case .lab: (0...100).contains(value[0])
        case .lch: (0...100).contains(value[0]) && value[1] >= 0
        case .oklab: (0...1).contains(value[0])
        case .oklch: (0...1).contains(value[0]) && value[1] >= 0
        case .xyzD50, .xyzD65: true
        }
    }

    /// Returns sRGB components, below 0 or above 1 for colours outside sRGB.
    func encoded(_ value: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .srgb: return value
        case .hsl: return Self.hsl(value)
        case .hwb: return Self.hwb(value)
        default: break
        }
        let light = light(value)
        return SIMD3(
            TransferCurve.encoded(light[0]), TransferCurve.encoded(light[1]),
            TransferCurve.encoded(light[2]))
    }

    /// Returns the components in linear sRGB.
    private func light(_ value: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .srgb, .hsl, .hwb, .linear: value
        case .displayP3:
            Self.product(
                Self.p3ToSRGB,
                SIMD3(
                    TransferCurve.light(value[0]), TransferCurve.light(value[1]),
                    TransferCurve.light(value[2])))
        case .oklab: Self.oklab(value)
        case .oklch: Self.oklab(Self.cartesian(value))
        case .lab: Self.lab(value)
        case .lch: Self.lab(Self.cartesian(value))
        case .xyzD50: Self.product(Self.d50ToSRGB, value)
        case .xyzD65: Self.product(Self.d65ToSRGB, value)
        }
    }

    private static func hsl(_ value: SIMD3<Double>) -> SIMD3<Double> {
        let (saturation, lightness) = (value[1] / 100, value[2] / 100)
        let reach = saturation * min(lightness, 1 - lightness)
        return SIMD3(hue(0, value[0]), hue(8, value[0]), hue(4, value[0]))
            * (2 * reach) + (lightness - reach)
    }

    private static func hwb(_ value: SIMD3<Double>) -> SIMD3<Double> {
        let (white, black) = (value[1] / 100, value[2] / 100)
        guard white + black < 1 else { return SIMD3(repeating: white / (white + black)) }
        return SIMD3(hue(0, value[0]), hue(8, value[0]), hue(4, value[0]))
            * (1 - white - black) + white
    }

    /// Returns the share of one primary in a fully saturated colour of this hue. `offset` is 0 for
    /// red, 8 for green and 4 for blue.
    private static func hue(_ offset: Double, _ degrees: Double) -> Double {
        let step = (offset + degrees / 30).remainder(dividingBy: 12)
        let k = step < 0 ? step + 12 : step
        return 0.5 - 0.5 * max(-1, min(k - 3, 9 - k, 1))
    }

    private static func cartesian(_ value: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            value[0], value[1] * Angle.sine(degrees: value[2] + 90),
            value[1] * Angle.sine(degrees: value[2]))
    }

    /// Converts by Björn Ottosson's definition of 2020.
    private static func oklab(_ value: SIMD3<Double>) -> SIMD3<Double> {
        let roots = product(
            [
                SIMD3(1, 0.3963377774, 0.2158037573), SIMD3(1, -0.1055613458, -0.0638541728),
                SIMD3(1, -0.0894841775, -1.2914855480),
            ], value)
        return product(
            [
                SIMD3(4.0767416621, -3.3077115913, 0.2309699292),
                SIMD3(-1.2684380046, 2.6097574011, -0.3413193965),
                SIMD3(-0.0041960863, -0.7034186147, 1.7076147010),
            ], roots * roots * roots)
    }

    private static func lab(_ value: SIMD3<Double>) -> SIMD3<Double> {
        let middle = (value[0] + 16) / 116
        let roots = SIMD3(middle + value[1] / 500, middle, middle - value[2] / 200)
        var xyz = roots * roots * roots
        for index in 0..<3 where roots[index] <= 6.0 / 29 {
            xyz[index] = (roots[index] - 4.0 / 29) * 108 / 841
        }
        return product(d50ToSRGB, xyz * SIMD3(0.9642956764, 1, 0.8251046025))
    }

    private static func product(
        _ matrix: [SIMD3<Double>], _ value: SIMD3<Double>
    ) -> SIMD3<Double> {
        SIMD3(
            (matrix[0] * value).sum(), (matrix[1] * value).sum(), (matrix[2] * value).sum())
    }

    private static let d65ToSRGB = [
        SIMD3(3.2409699419, -1.5373831776, -0.4986107603),
        SIMD3(-0.9692436363, 1.8759675015, 0.0415550574),
        SIMD3(0.0556300797, -0.2039769589, 1.0569715142),
    ]

    /// Includes Bradford's adaptation of the white point.
    private static let d50ToSRGB = [
        SIMD3(3.1341358529, -1.6173863321, -0.4906619460),
        SIMD3(-0.9787954765, 1.9162543774, 0.0334427312),
        SIMD3(0.0719553440, -0.2289767598, 1.4053860351),
    ]

    private static let p3ToSRGB = [
        SIMD3(1.2249401763, -0.2249401763, 0),
        SIMD3(-0.0420569547, 1.0420569547, 0),
        SIMD3(-0.0196375546, -0.0786360456, 1.0982736001),
    ]
}

/// The transfer curve of sRGB and Display P3, mirrored below zero.
private enum TransferCurve {
    static func light(_ value: Double) -> Double {
        let size = value.magnitude
        guard size > 0.04045 else { return value / 12.92 }
        let base = (size + 0.055) / 1.055
        // The power 12/5 is the square, times the fifth root of the square.
        let light = base * base * root(of: base * base, 5)
        return value < 0 ? -light : light
    }

    static func encoded(_ light: Double) -> Double {
        let size = light.magnitude
        guard size > 0.0031308 else { return light * 12.92 }
        // The power 5/12 is the twelfth root of the fifth power.
        let fourth = size * size * size * size
        let value = 1.055 * root(of: fourth * size, 12) - 0.055
        return light < 0 ? -value : value
    }

    /// Returns a root of this degree by Newton's method, which approaches it from above.
    private static func root(of value: Double, _ degree: Int) -> Double {
        var root = max(1, value)
        for _ in 0..<1_000 {
            var power = 1.0
            for _ in 1..<degree { power *= root }
            let next = root - (root - value / power) / Double(degree)
            guard next < root else { break }
            root = next
        }
        return root
    }
}

private enum Angle {
    /// Returns the sine by the Taylor series around the nearest multiple of 180 degrees.
    static func sine(degrees: Double) -> Double {
        let folded = degrees.remainder(dividingBy: 360)
        let near = folded > 90 ? 180 - folded : folded < -90 ? -180 - folded : folded
        let angle = near / 180 * Double.pi
        let square = angle * angle
        var (term, sum) = (angle, angle)
        for n in stride(from: 2.0, through: 22, by: 2) {
            term *= -square / (n * (n + 1))
            sum += term
        }
        return sum
    }
}
