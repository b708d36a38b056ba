import Glibc

/// A colour of CSS Color 4 and 5 in linear sRGB, not yet clipped to what a screen shows.
///
/// Numbers of the spaces come from the specification; Oklab is Björn Ottosson's.
struct CSSColor {
    var red: Double
    var green: Double
    var blue: Double
    var alpha: Double

    /// Whether librsvg 2.54 lacks the function of this name, in small letters.
    static func isModern(_ function: String) -> Bool {
        switch function {
        case "oklch", "oklab", "lab", "lch", "hwb", "color", "color-mix", "light-dark": true
        default: false
        }
    }

    /// `#rrggbb`, or `#rrggbbaa` where it is not opaque; clipped, as screens of sRGB do.
    var text: String {
        func byte(_ value: Double) -> String {
            // A half that was taken apart and put together is a little less than one.
            let whole = Int((min(max(value, 0), 1) * 255 + 1e-6).rounded())
            return (whole < 16 ? "0" : "") + String(whole, radix: 16)
        }
        let opaque = [red, green, blue].map { byte(Self.encoded($0)) }.joined()
        return "#" + opaque + (alpha < 1 ? byte(alpha) : "")
    }

    /// From light to the values of sRGB.
    static func encoded(_ value: Double) -> Double {
        let size = abs(value)
        let curve = size > 0.0031308 ? 1.055 * pow(size, 1 / 2.4) - 0.055 : 12.92 * size
        return value < 0 ? -curve : curve
    }

    /// From the values of sRGB to light.
    static func linear(_ value: Double) -> Double {
        let size = abs(value)
        let curve = size > 0.04045 ? pow((size + 0.055) / 1.055, 2.4) : size / 12.92
        return value < 0 ? -curve : curve
    }
}

/// The spaces in which colours are stated and mixed.
enum CSSColorSpace: String {
    case srgb, oklab, oklch, lab, lch
    case srgbLinear = "srgb-linear"
    case displayP3 = "display-p3"
    case xyz
    case xyzD65 = "xyz-d65"

    /// The last component is an angle.
    var isPolar: Bool { self == .oklch || self == .lch }

    func color(_ values: [Double], alpha: Double) -> CSSColor {
        let light: [Double]
        switch self {
        case .srgb: light = values.map(CSSColor.linear)
        case .srgbLinear: light = values
        case .displayP3: light = Matrix.fromP3.times(values.map(CSSColor.linear))
        case .xyz, .xyzD65: light = Matrix.fromXYZ.times(values)
        case .oklab:
            light = Matrix.fromCones.times(Matrix.toRoots.times(values).map { $0 * $0 * $0 })
        case .lab:
            let middle = (values[0] + 16) / 116
            let roots = [middle + values[1] / 500, middle, middle - values[2] / 200]
            let white = [0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585]
            light = Matrix.fromXYZD50.times(
                zip(roots, white).map { root, white in
                    let cube = root * root * root
                    return white * (cube > 216.0 / 24389 ? cube : (116 * root - 16) * 27 / 24389)
                })
        case .oklch, .lch:
            let angle = values[2] * .pi / 180
            let flat = [values[0], values[1] * cos(angle), values[1] * sin(angle)]
            return (self == .lch ? Self.lab : .oklab).color(flat, alpha: alpha)
        }
        return CSSColor(red: light[0], green: light[1], blue: light[2], alpha: alpha)
    }

    /// The components of a colour; nil in spaces in which nothing is mixed here.
    func values(of color: CSSColor) -> [Double]? {
        let light = [color.red, color.green, color.blue]
        switch self {
        case .srgb: return light.map(CSSColor.encoded)
        case .srgbLinear: return light
        case .oklab: return Matrix.fromRoots.times(Matrix.toCones.times(light).map { cbrt($0) })
        case .oklch:
            guard let flat = Self.oklab.values(of: color) else { return nil }
            let angle = atan2(flat[2], flat[1]) * 180 / .pi
            return [flat[0], hypot(flat[1], flat[2]), angle < 0 ? angle + 360 : angle]
        case .displayP3, .lab, .lch, .xyz, .xyzD65: return nil
        }
    }
}

/// Three rows of three numbers.
private struct Matrix {
    let rows: [[Double]]

    func times(_ vector: [Double]) -> [Double] {
        rows.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
    }

    static let fromP3 = Matrix(rows: [
        [1.2249401763, -0.2249401763, 0], [-0.0420569547, 1.0420569547, 0],
        [-0.0196375546, -0.0786360456, 1.0982736001],
    ])
    static let fromXYZ = Matrix(rows: [
        [3.2409699419, -1.5373831776, -0.4986107603],
        [-0.9692436363, 1.8759675015, 0.0415550574],
        [0.0556300797, -0.2039769589, 1.0569715142],
    ])
    static let fromXYZD50 = Matrix(rows: [
        [3.1341358529, -1.6173863322, -0.490661946],
        [-0.9787954766, 1.9162543774, 0.0334427347],
        [0.0719553799, -0.2289768264, 1.4053860583],
    ])
    static let toRoots = Matrix(rows: [
        [1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728],
        [1, -0.0894841775, -1.2914855480],
    ])
    static let fromCones = Matrix(rows: [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ])
    static let toCones = Matrix(rows: [
        [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ])
    static let fromRoots = Matrix(rows: [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ])
}
