/// Capital letters as strokes on a grid ten units high. Thick strokes look like the letters of a
/// logo, and no font is needed.
enum Alphabet {
    /// A letter's width on the grid, and its centre line as SVG path data.
    struct Letter {
        let width: Double
        let path: String
    }

    /// Returns the letters of a row with their left edges, and the width of the row.
    static func row(
        _ text: String, gap: Double
    ) -> (letters: [(x: Double, path: String)], width: Double) {
        var letters: [(x: Double, path: String)] = []
        var x = 0.0
        for character in text {
            guard let letter = table[character] else {
                x += 3 + gap
                continue
            }
            letters.append((x, letter.path))
            x += letter.width + gap
        }
        return (letters, max(0, x - gap))
    }

    static func markup(
        _ text: String, x: Double, y: Double, height: Double, weight: Double, paint: String,
        gap: Double = 2.6, join: String = "round", cap: String = "butt", slant: Double = 0
    ) -> String {
        let scale = height / 10
        var group = "<g transform=\"translate(\(Markup.number(x)) \(Markup.number(y)))"
        group += " scale(\(fine(scale)))"
        if slant != 0 { group += " skewX(\(Markup.number(-slant)))" }
        group += "\" fill=\"none\" stroke=\"\(paint)\" stroke-width=\"\(Markup.number(weight))\""
        group += " stroke-linejoin=\"\(join)\" stroke-linecap=\"\(cap)\">"
        for letter in row(text, gap: gap).letters {
            group += "<path transform=\"translate(\(Markup.number(letter.x)))\""
            group += " d=\"\(letter.path)\"/>"
        }
        return group + "</g>"
    }

    /// Formats a number with four decimal places, for scales.
    private static func fine(_ value: Double) -> String {
        let parts = Int((value * 10_000).rounded())
        let rest = String(parts % 10_000)
        return "\(parts / 10_000)." + String(repeating: "0", count: 4 - rest.count) + rest
    }

    private static let table: [Character: Letter] = [
        "A": Letter(width: 9, path: "M0 10L4.5 0L9 10M1.7 6.6H7.3"),
        "B": Letter(
            width: 6.9,
            path: "M0 4.7H4.1A2.65 2.65 0 0 1 4.1 10H0V0H3.6A2.35 2.35 0 0 1 3.6 4.7"),
        "C": Letter(width: 8.9, path: "M8.9 1.9A5 5 0 1 0 8.9 8.1"),
        "D": Letter(width: 8, path: "M0 0V10H3A5 5 0 0 0 3 0Z"),
        "E": Letter(width: 6, path: "M6 0H0V10H6M0 5H5.2"),
        "F": Letter(width: 6, path: "M6 0H0V10M0 5H5"),
        "G": Letter(width: 9.6, path: "M8.7 1.7A5 5 0 1 0 9.6 5.4H5.6"),
        "H": Letter(width: 7.6, path: "M0 0V10M7.6 0V10M0 5H7.6"),
        "I": Letter(width: 0.4, path: "M0.2 0V10"),
        "J": Letter(width: 5, path: "M5 0V7.2A2.5 2.8 0 0 1 0 7.2"),
        "K": Letter(width: 7, path: "M0 0V10M6.6 0L0 6.2M2.6 3.9L7 10"),
        "L": Letter(width: 5.6, path: "M0 0V10H5.6"),
        "M": Letter(width: 9.4, path: "M0 10V0L4.7 7L9.4 0V10"),
        "N": Letter(width: 7.8, path: "M0 10V0L7.8 10V0"),
        "O": Letter(width: 10, path: "M5 0A5 5 0 1 0 5 10A5 5 0 1 0 5 0Z"),
        "P": Letter(width: 6.8, path: "M0 10V0H3.9A2.9 2.9 0 0 1 3.9 5.8H0"),
        "Q": Letter(width: 10, path: "M5 0A5 5 0 1 0 5 10A5 5 0 1 0 5 0ZM6.6 6.6L10 10.2"),
        "R": Letter(width: 7, path: "M0 10V0H3.9A2.9 2.9 0 0 1 3.9 5.8H0M3.4 5.8L7 10"),
        "S": Letter(
            width: 6.9,
            path: "M6.5 1.7C6 .5 4.9 0 3.5 0C1.6 0 .3 1 .3 2.5C.3 5.9 6.9 4.1 6.9 7.4"
                + "C6.9 9 5.5 10 3.5 10C1.8 10 .5 9.3 0 8.1"),
        "T": Letter(width: 8, path: "M0 0H8M4 0V10"),
        "U": Letter(width: 7.6, path: "M0 0V6.2A3.8 3.8 0 0 0 7.6 6.2V0"),
        "V": Letter(width: 9, path: "M0 0L4.5 10L9 0"),
        "W": Letter(width: 12.4, path: "M0 0L3.1 10L6.2 1.6L9.3 10L12.4 0"),
        "X": Letter(width: 8, path: "M0 0L8 10M8 0L0 10"),
        "Y": Letter(width: 8, path: "M0 0L4 5.2L8 0M4 5.2V10"),
        "Z": Letter(width: 7.4, path: "M0 0H7.4L0 10H7.4"),
        "0": Letter(width: 7, path: "M3.5 0A3.5 5 0 1 0 3.5 10A3.5 5 0 1 0 3.5 0Z"),
        "1": Letter(width: 3, path: "M0 2L3 0V10"),
        "2": Letter(width: 6.4, path: "M.2 2.8A3 2.8 0 0 1 6.2 2.9C6.2 5.4 0 7.4 0 10H6.4"),
        "3": Letter(width: 6.4, path: "M0 0H6L2.8 4A3 3 0 1 1 0 8.4"),
        "4": Letter(width: 7, path: "M5 10V0L0 7H7"),
        "5": Letter(width: 6.4, path: "M5.8 0H.8V4.4A3.2 2.9 0 1 1 0 8.4"),
        "6": Letter(
            width: 6.4, path: "M4.6 0L.6 5.2M3.2 3.8A3.1 3.1 0 1 0 3.2 10A3.1 3.1 0 1 0 3.2 3.8Z"),
        "7": Letter(width: 6.6, path: "M0 0H6.6L2.4 10"),
        "8": Letter(
            width: 6.4,
            path: "M3.2 0A2.3 2.3 0 1 0 3.2 4.6A2.3 2.3 0 1 0 3.2 0ZM3.2 4.6A2.7 2.7 0 1 0 3.2 10"
                + "A2.7 2.7 0 1 0 3.2 4.6Z"),
        "9": Letter(
            width: 6.4, path: "M1.8 10L5.8 4.8M3.2 0A3.1 3.1 0 1 0 3.2 6.2A3.1 3.1 0 1 0 3.2 0Z"),
        "-": Letter(width: 4, path: "M0 5.4H4"),
        "·": Letter(width: 1, path: "M.3 5H.9"),
        ".": Letter(width: 0.6, path: "M0 9.6H.7"),
        "/": Letter(width: 4, path: "M0 10L4 0"),
    ]
}
