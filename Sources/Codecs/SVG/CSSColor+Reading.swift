import Glibc

extension CSSColor {
    /// What `text` says in light or dark surroundings, in words that librsvg knows; nil where it
    /// is no colour function of these, or depends on what only a browser knows.
    static func plainText(_ text: String, isDark: Bool) -> String? {
        guard let (name, inside) = function(text) else { return nil }
        guard name == "light-dark" else {
            return isModern(name) ? CSSColor(text, isDark: isDark, depth: 0)?.text : nil
        }
        let parts = parts(of: inside, at: ",")
        guard parts.count == 2 else { return nil }
        let chosen = parts[isDark ? 1 : 0]
        guard let inner = function(chosen)?.name, isModern(inner) else { return chosen }
        return CSSColor(chosen, isDark: isDark, depth: 0)?.text
    }

    /// Reads a colour; nil for those that refer to others.
    init?(_ text: String, isDark: Bool, depth: Int) {
        guard depth < 8 else { return nil }
        let text = text.lowercased()
        if text.hasPrefix("#") {
            self.init(hex: text.dropFirst())
            return
        }
        guard let (name, inside) = Self.function(text) else {
            if text == "transparent" {
                self.init(red: 0, green: 0, blue: 0, alpha: 0)
                return
            }
            guard let value = NamedColors.value(text) else { return nil }
            self.init(bytes: [value >> 16, value >> 8 & 255, value & 255, 255])
            return
        }
        switch name {
        case "light-dark":
            let parts = Self.parts(of: inside, at: ",")
            guard parts.count == 2 else { return nil }
            self.init(parts[isDark ? 1 : 0], isDark: isDark, depth: depth + 1)
        case "color-mix":
            self.init(mix: inside, isDark: isDark, depth: depth)
        default:
            self.init(function: name, inside)
        }
    }

    private init?(hex: Substring) {
        let digits = hex.compactMap(\.hexDigitValue)
        guard digits.count == hex.count else { return nil }
        var bytes: [Int]
        switch digits.count {
        case 3, 4: bytes = digits.map { $0 * 17 }
        case 6, 8:
            bytes = stride(from: 0, to: digits.count, by: 2).map {
                digits[$0] * 16 + digits[$0 + 1]
            }
        default: return nil
        }
        if bytes.count == 3 { bytes.append(255) }
        self.init(bytes: bytes)
    }

    private init(bytes: [Int]) {
        let values = bytes.map { Double($0) / 255 }
        self = CSSColorSpace.srgb.color(Array(values[..<3]), alpha: values[3])
    }

    /// A function of three numbers and an alpha.
    private init?(function name: String, _ inside: String) {
        var words = inside.replacing("/", with: " / ").split { $0 == " " || $0 == "," }
            .map(String.init)
        var alpha = 1.0
        if words.count > 2, words[words.count - 2] == "/" {
            guard let value = Self.number(words[words.count - 1], percentOf: 1) else { return nil }
            alpha = min(max(value, 0), 1)
            words.removeLast(2)
        } else if ["rgba", "hsla", "rgb", "hsl"].contains(name), words.count == 4 {
            guard let value = Self.number(words.removeLast(), percentOf: 1) else { return nil }
            alpha = min(max(value, 0), 1)
        }
        var space: CSSColorSpace?
        if name == "color" {
            guard let first = words.first, let named = CSSColorSpace(rawValue: first),
                [.srgb, .srgbLinear, .displayP3, .xyz, .xyzD65].contains(named)
            else { return nil }
            space = named
            words.removeFirst()
        }
        guard words.count == 3 else { return nil }
        /// What a percentage is of, and which number is an angle.
        let full: [Double]
        switch name {
        case "color": full = [1, 1, 1]
        case "oklab": (full, space) = ([1, 0.4, 0.4], .oklab)
        case "oklch": (full, space) = ([1, 0.4, 0], .oklch)
        case "lab": (full, space) = ([100, 125, 125], .lab)
        case "lch": (full, space) = ([100, 150, 0], .lch)
        case "rgb", "rgba": full = [255, 255, 255]
        case "hsl", "hsla", "hwb": full = [0, 100, 100]
        default: return nil
        }
        var values: [Double] = []
        for (word, whole) in zip(words, full) {
            guard
                let value = whole == 0 ? Self.angle(word) : Self.number(word, percentOf: whole)
            else { return nil }
            values.append(value)
        }
        switch name {
        case "rgb", "rgba": self = CSSColorSpace.srgb.color(values.map { $0 / 255 }, alpha: alpha)
        case "hsl", "hsla":
            let (strength, light) = (values[1] / 100, values[2] / 100)
            let most = light + strength * min(light, 1 - light)
            self.init(hue: values[0], least: 2 * light - most, most: most, alpha: alpha)
        case "hwb":
            let (white, black) = (max(0, values[1] / 100), max(0, values[2] / 100))
            let sum = max(1, white + black)
            self.init(hue: values[0], least: white / sum, most: 1 - black / sum, alpha: alpha)
        default:
            guard let space else { return nil }
            if space != .srgb, name != "color" {
                values[0] = min(max(values[0], 0), full[0])
                if space.isPolar { values[1] = max(0, values[1]) }
            }
            self = space.color(values, alpha: alpha)
        }
    }

    /// The pure colour of an angle, between its least and its most component.
    private init(hue: Double, least: Double, most: Double, alpha: Double) {
        func value(_ shift: Double) -> Double {
            let sector = (hue / 60 + shift).truncatingRemainder(dividingBy: 6)
            let ramp = min(max(abs((sector < 0 ? sector + 6 : sector) - 3) - 1, 0), 1)
            return least + (most - least) * ramp
        }
        self = CSSColorSpace.srgb.color([value(0), value(4), value(2)], alpha: alpha)
    }

    /// `in SPACE, COLOR P%, COLOR P%`.
    private init?(mix inside: String, isDark: Bool, depth: Int) {
        let parts = Self.parts(of: inside, at: ",")
        guard parts.count == 3, parts[0].hasPrefix("in "),
            let space = CSSColorSpace(rawValue: String(parts[0].dropFirst(3)))
        else { return nil }
        var colors: [CSSColor] = []
        var shares: [Double?] = []
        for part in parts[1...] {
            var words = Self.parts(of: part, at: " ")
            var share: Double?
            for (index, word) in words.enumerated() where word.hasSuffix("%") {
                guard let value = Double(word.dropLast()), (0...100).contains(value) else {
                    return nil
                }
                share = value / 100
                words.remove(at: index)
                break
            }
            guard words.count == 1, let color = CSSColor(words[0], isDark: isDark, depth: depth + 1)
            else { return nil }
            colors.append(color)
            shares.append(share)
        }
        let first = shares[0] ?? shares[1].map { 1 - $0 } ?? 0.5
        let second = shares[1] ?? 1 - first
        guard first + second > 0 else { return nil }
        self.init(
            colors[0], colors[1], share: second / (first + second), in: space,
            strength: min(1, first + second))
    }

    private init?(
        _ first: CSSColor, _ second: CSSColor, share: Double, in space: CSSColorSpace,
        strength: Double
    ) {
        guard var from = space.values(of: first), var to = space.values(of: second) else {
            return nil
        }
        if space.isPolar {
            // A grey, or nothing, has no angle of its own.
            if from[1] < 1e-4 || first.alpha == 0 { from[2] = to[2] }
            if to[1] < 1e-4 || second.alpha == 0 { to[2] = from[2] }
            if to[2] - from[2] > 180 { from[2] += 360 }
            if from[2] - to[2] > 180 { to[2] += 360 }
        }
        let alpha = first.alpha * (1 - share) + second.alpha * share
        let values = (0..<3).map { index in
            if index == 2, space.isPolar { return from[2] * (1 - share) + to[2] * share }
            guard alpha > 0 else { return 0 }
            return (from[index] * first.alpha * (1 - share) + to[index] * second.alpha * share)
                / alpha
        }
        self = space.color(values, alpha: alpha * strength)
    }

    /// A finite number, or `none`.
    private static func number(_ word: String, percentOf whole: Double) -> Double? {
        if word == "none" { return 0 }
        guard word.hasSuffix("%") else { return finite(word) }
        return finite(String(word.dropLast())).map { $0 * whole / 100 }
    }

    private static func angle(_ word: String) -> Double? {
        if word == "none" { return 0 }
        for (unit, degrees) in [("deg", 1), ("grad", 0.9), ("rad", 180 / .pi), ("turn", 360)]
        where word.hasSuffix(unit) {
            return finite(String(word.dropLast(unit.count))).map { $0 * degrees }
        }
        return finite(word)
    }

    private static func finite(_ word: String) -> Double? {
        guard let first = word.first, first.isNumber || "+-.".contains(first),
            let value = Double(word), abs(value) < 1e6
        else { return nil }
        return value
    }

    /// The name of a function in small letters, and what stands between its brackets.
    private static func function(_ text: String) -> (name: String, inside: String)? {
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
        let inside = text[text.index(after: open)...].dropLast()
        return (
            text[..<open].lowercased(), parts(of: String(inside), at: " ").joined(separator: " ")
        )
    }

    /// The parts between signs that stand outside of brackets, without spaces around them.
    static func parts(of text: String, at sign: Character) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        func finish() {
            let words = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if sign == "," || !words.isEmpty { parts.append(words) }
            part = ""
        }
        for character in text {
            let isSign = character == sign || sign == " " && character.isWhitespace
            if depth == 0, isSign {
                finish()
                continue
            }
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            part.append(character)
        }
        finish()
        return parts
    }
}
