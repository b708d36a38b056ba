/// A made-up logo as an SVG drawing on a page 100 units high.
struct LogoDesign: Sendable {
    let width: Double
    let definitions: String
    let body: String
    let name: MerchantName

    init(_ dice: inout Dice, wide: Bool = false, paint: LogoPaint? = nil) {
        name = MerchantName(&dice)
        let colors = BrandColors.choose(&dice)
        var ink = paint ?? LogoPaint(colors, gradient: dice.chance(35), &dice)
        if wide {
            let mark = dice.chance(70) ? LogoMark.draw(&dice, &ink, name) : ""
            let lettering = Self.wordmark(&dice, ink, name, after: mark.isEmpty ? 6 : 116)
            width = lettering.width
            body = mark + lettering.body
        } else {
            width = 100
            body = LogoMark.draw(&dice, &ink, name)
        }
        definitions = ink.definitions
    }

    /// Returns the whole document. `root` replaces the size attributes.
    func svg(root: String? = nil) -> String {
        let box = "viewBox=\"0 0 \(Markup.number(width)) 100\""
        let size = root ?? "width=\"\(Markup.number(width * 2))\" height=\"200\" \(box)"
        let defs = definitions.isEmpty ? "" : "<defs>\(definitions)</defs>"
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size)>\(defs)\(body)</svg>\n"
    }

    var viewBox: String { "viewBox=\"0 0 \(Markup.number(width)) 100\"" }

    private static func wordmark(
        _ dice: inout Dice, _ ink: LogoPaint, _ name: MerchantName, after left: Double
    ) -> (body: String, width: Double) {
        let weight = dice.between(1.3, 2.6)
        let gap = weight + dice.between(0.9, 2.2)
        let height = dice.between(34, 46)
        let slant = dice.chance(20) ? 10.0 : 0
        let row = Alphabet.row(name.word, gap: gap)
        let scale = height / 10
        let body = Alphabet.markup(
            name.word, x: left + weight * scale / 2 + (slant > 0 ? 6 : 0), y: 50 - height / 2,
            height: height, weight: weight, paint: ink.deep, gap: gap,
            join: dice.pick(["round", "miter", "bevel"]), cap: dice.pick(["butt", "round"]),
            slant: slant)
        return (body, left + (row.width + weight) * scale + 8)
    }
}

struct LogoPaint: Sendable {
    let main: String
    let second: String
    let deep: String
    /// The colour on top of `main`, mostly white.
    let light: String
    let definitions: String

    /// Creates a paint with brand colours. With `gradient`, the main colour is a gradient into the
    /// second.
    init(_ colors: BrandColors, gradient: Bool, _ dice: inout Dice) {
        second = colors.second
        deep = colors.deep
        light = "#FFFFFF"
        if gradient {
            main = "url(#a)"
            let vertical = dice.chance(50)
            definitions =
                "<linearGradient id=\"a\" x1=\"0\" y1=\"0\" x2=\"\(vertical ? 0 : 1)\" y2=\"1\">"
                + "<stop offset=\"0\" stop-color=\"\(colors.second)\"/>"
                + "<stop offset=\"1\" stop-color=\"\(colors.main)\"/></linearGradient>"
        } else {
            main = colors.main
            definitions = ""
        }
    }

    /// Creates a paint with one colour for all parts, like that of a template icon.
    init(single paint: String) {
        main = paint
        second = paint
        deep = paint
        light = "none"
        definitions = ""
    }
}
