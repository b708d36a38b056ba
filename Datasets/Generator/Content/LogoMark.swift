/// The symbol of a logo, on a square of 100 by 100.
enum LogoMark {
    /// Draws a random symbol. A paint without a light colour gets only symbols of one colour.
    static func draw(_ dice: inout Dice, _ ink: inout LogoPaint, _ name: MerchantName) -> String {
        if ink.light == "none" {
            switch dice.below(5) {
            case 0: return ring(&dice, ink, name)
            case 1: return bars(&dice, ink)
            case 2: return petals(&dice, ink, opacity: 1)
            case 3: return columns(&dice, ink)
            default: return burst(&dice, ink, hole: false)
            }
        }
        switch dice.below(15) {
        case 0: return disc(&dice, ink, name)
        case 1: return tile(&dice, ink, name)
        case 2: return shield(&dice, ink, name)
        case 3: return burst(&dice, ink, hole: true)
        case 4: return bars(&dice, ink)
        case 5: return rings(&dice, ink)
        case 6: return petals(&dice, ink, opacity: 0.82)
        case 7: return cube(&dice, ink)
        case 8: return arcs(&dice, ink)
        case 9: return quarters(&dice, ink)
        case 10: return horizon(&dice, ink)
        case 11: return fold(&dice, ink)
        case 12: return columns(&dice, ink)
        case 13: return ring(&dice, ink, name)
        default: return flag(&dice, ink)
        }
    }

    private static func shape(_ path: String, _ paint: String, opacity: Double = 1) -> String {
        let fade = opacity < 1 ? " opacity=\"\(Markup.number(opacity))\"" : ""
        return "<path d=\"\(path)\" fill=\"\(paint)\" fill-rule=\"evenodd\"\(fade)/>"
    }

    private static func letters(
        _ text: String, _ dice: inout Dice, paint: String, height: Double, y: Double = 50
    ) -> String {
        let weight = dice.between(1.5, 2.8)
        let gap = weight + 0.8
        let row = Alphabet.row(text, gap: gap)
        let scale = min(height / 10, 54 / max(row.width + weight, 1))
        return Alphabet.markup(
            text, x: 50 - row.width * scale / 2, y: y - scale * 5, height: scale * 10,
            weight: weight, paint: paint, gap: gap, join: dice.pick(["round", "miter"]),
            cap: dice.pick(["round", "butt"]))
    }

    private static func disc(
        _ dice: inout Dice, _ ink: LogoPaint, _ name: MerchantName
    ) -> String {
        var body = shape(Markup.circle(50, 50, 48), ink.main)
        if dice.chance(45) {
            body += "<circle cx=\"50\" cy=\"50\" r=\"42\" fill=\"none\" stroke=\"\(ink.light)\""
            body += " stroke-width=\"\(Markup.number(dice.between(1.2, 2.6)))\"/>"
        }
        return body + letters(name.initials, &dice, paint: ink.light, height: 44)
    }

    private static func tile(
        _ dice: inout Dice, _ ink: LogoPaint, _ name: MerchantName
    ) -> String {
        let round = dice.between(4, 26)
        let body = shape(Markup.box(3, 3, 94, 94, round: round), ink.main)
        switch dice.below(3) {
        case 0:
            return body + letters(String(name.word.prefix(1)), &dice, paint: ink.light, height: 50)
        case 1:
            let points = dice.whole(4...7)
            return body
                + shape(
                    Markup.star(50, 50, points: points, outer: 32, inner: dice.between(13, 20)),
                    ink.light)
        default:
            let ring = dice.between(24, 32)
            return body
                + shape(Markup.circle(50, 50, ring) + Markup.circle(50, 50, ring * 0.62), ink.light)
                + shape(Markup.circle(50 + ring * 0.7, 50 - ring * 0.7, ring * 0.3), ink.light)
        }
    }

    private static func shield(
        _ dice: inout Dice, _ ink: LogoPaint, _ name: MerchantName
    ) -> String {
        let outline = "M50 2L92 14V48C92 74 74 90 50 98C26 90 8 74 8 48V14Z"
        let half = "M50 2L92 14V48C92 74 74 90 50 98Z"
        let body = shape(outline, ink.main) + shape(half, ink.deep, opacity: 0.28)
        if dice.chance(40) {
            let chevron = "M20 40L50 60L80 40V54L50 74L20 54Z"
            return body + shape(chevron, ink.light)
        }
        return body
            + letters(String(name.word.prefix(1)), &dice, paint: ink.light, height: 42, y: 48)
    }

    private static func burst(_ dice: inout Dice, _ ink: LogoPaint, hole: Bool) -> String {
        let points = dice.whole(5...14)
        let inner = dice.between(20, 36)
        var path = Markup.star(50, 50, points: points, outer: 48, inner: inner)
        if !hole { return shape(path, ink.main) }
        let core = inner * dice.between(0.45, 0.7)
        if dice.chance(50) {
            path += Markup.circle(50, 50, core)
            return shape(path, ink.main)
        }
        return shape(path, ink.main) + shape(Markup.circle(50, 50, core), ink.second)
    }

    private static func bars(_ dice: inout Dice, _ ink: LogoPaint) -> String {
        let count = dice.whole(3...5)
        let gap = dice.between(4, 8)
        let width = (96 - gap * Double(count - 1)) / Double(count)
        let round = dice.chance(50) ? width / 2 : dice.between(0, 3)
        let falling = dice.chance(30)
        var body = ""
        for index in 0..<count {
            let rank = falling ? count - 1 - index : index
            let height = 34 + 62 * Double(rank) / Double(count - 1) - dice.between(0, 6)
            let path = Markup.box(
                2 + Double(index) * (width + gap), 98 - height, width, height, round: round)
            body += shape(path, index.isMultiple(of: 2) ? ink.main : ink.second)
        }
        return body
    }

    private static func rings(_ dice: inout Dice, _ ink: LogoPaint) -> String {
        let radius = dice.between(24, 29)
        let turn = dice.between(-100, -80)
        var body = ""
        for (index, paint) in [ink.main, ink.second, ink.deep].enumerated() {
            let center = Markup.onCircle(
                50, 52, 46 - radius, degrees: turn + 120 * Double(index))
            body += shape(Markup.circle(center.x, center.y, radius), paint, opacity: 0.84)
        }
        return body
    }

    private static func petals(_ dice: inout Dice, _ ink: LogoPaint, opacity: Double) -> String {
        let count = dice.whole(5...9)
        let wide = dice.between(11, 17)
        var body = ""
        for index in 0..<count {
            let turn = 360 * Double(index) / Double(count)
            let leaf =
                "M50 50C\(Markup.number(50 - wide)) 34 \(Markup.number(50 - wide)) 14 50 2"
                + "C\(Markup.number(50 + wide)) 14 \(Markup.number(50 + wide)) 34 50 50Z"
            let paint = index.isMultiple(of: 2) ? ink.main : ink.second
            let fade = opacity < 1 ? " opacity=\"\(Markup.number(opacity))\"" : ""
            body += "<path d=\"\(leaf)\" fill=\"\(paint)\"\(fade)"
            body += " transform=\"rotate(\(Markup.number(turn)) 50 50)\"/>"
        }
        return body
    }

    private static func cube(_ dice: inout Dice, _ ink: LogoPaint) -> String {
        let gap = dice.between(0, 3)
        let top = "M50 \(Markup.number(3))L92 26L50 49L8 26Z"
        let left = "M6 \(Markup.number(30 + gap))L48 \(Markup.number(53 + gap))V98L6 75Z"
        let right = "M94 \(Markup.number(30 + gap))L52 \(Markup.number(53 + gap))V98L94 75Z"
        return shape(top, ink.second) + shape(left, ink.main) + shape(right, ink.deep)
    }

    private static func arcs(_ dice: inout Dice, _ ink: LogoPaint) -> String {
        let count = dice.whole(2...4)
        let weight = dice.between(7, 10)
        let turn = dice.pick([0.0, 45, -45, 90])
        var body = "<g transform=\"rotate(\(Markup.number(turn)) 50 50)\" fill=\"none\""
        body += " stroke-linecap=\"round\" stroke-width=\"\(Markup.number(weight))\">"
        for index in 0..<count {
            let radius = 26 + Double(index) * (66 - 26) / Double(count - 1)
            let reach = radius * 0.64
            let path =
                "M\(Markup.number(50 - reach)) \(Markup.number(84 - radius * 0.77))"
                + "A\(Markup.number(radius)) \(Markup.number(radius)) 0 0 1"
                + " \(Markup.number(50 + reach)) \(Markup.number(84 - radius * 0.77))"
            body += "<path d=\"\(path)\" stroke=\"\(index == 0 ? ink.second : ink.deep)\"/>"
        }
        return body + "<circle cx=\"50\" cy=\"82\" r=\"\(Markup.number(weight * 1.1))\""
            + " fill=\"\(ink.second)\" stroke=\"none\"/></g>"
    }

    private static func quarters(_ dice: inout Dice, _ ink: LogoPaint) -> String {
        var body = ""
        let paints = [ink.main, ink.second, ink.deep, ink.main]
        for index in 0..<4 {
            let x = index % 2 == 0 ? 3.0 : 51.5
            let y = index / 2 == 0 ? 3.0 : 51.5
            let turn = 90.0 * Double(dice.below(4))
            let path =
                dice.chance(70)
                ? "M0 0H45.5A45.5 45.5 0 0 1 0 45.5Z" : Markup.circle(22.75, 22.75, 22.75)
            body += "<path d=\"\(path)\" fill=\"\(paints[index])\""
            body += " transform=\"translate(\(Markup.number(x)) \(Markup.number(y)))"
            body += " rotate(\(Markup.number(turn)) 22.75 22.75)\"/>"
        }
        return body
    }

    private static func horizon(_ dice: inout Dice, _ ink: LogoPaint) -> String {
        let peak = dice.between(34, 46)
        let second = dice.between(58, 70)
        let clip = "<clipPath id=\"c\"><circle cx=\"50\" cy=\"50\" r=\"48\"/></clipPath>"
        let far = "M0 80L\(Markup.number(peak)) 34L100 88V100H0Z"
        let near = "M0 92L\(Markup.number(second)) 50L100 84V100H0Z"
        let sun = Markup.circle(dice.between(62, 74), 30, dice.between(8, 12))
        return "\(clip)<g clip-path=\"url(#c)\">" + shape(Markup.box(0, 0, 100, 100), ink.main)
            + shape(sun, ink.light) + shape(far, ink.second, opacity: 0.9) + shape(near, ink.deep)
            + "</g>"
    }

    private static func fold(_ dice: inout Dice, _ ink: LogoPaint) -> String {
        let middle = dice.between(38, 62)
        let low = dice.between(52, 66)
        let left = "M2 8L\(Markup.number(middle)) \(Markup.number(low))L30 96Z"
        let right = "M98 8L\(Markup.number(middle)) \(Markup.number(low))L30 96Z"
        let top = "M2 8L98 8L\(Markup.number(middle)) \(Markup.number(low))Z"
        return shape(left, ink.second) + shape(right, ink.deep) + shape(top, ink.main)
    }

    private static func columns(_ dice: inout Dice, _ ink: LogoPaint) -> String {
        let count = dice.whole(3...5)
        var body = shape("M50 4L96 28V36H4V28Z", ink.main)
        let step = 84 / Double(count)
        let width = step * dice.between(0.42, 0.6)
        for index in 0..<count {
            let x = 8 + step * (Double(index) + 0.5) - width / 2
            body += shape(Markup.box(x, 42, width, 36), ink.second)
        }
        return body + shape(Markup.box(4, 84, 92, 11, round: dice.between(0, 4)), ink.main)
    }

    private static func ring(
        _ dice: inout Dice, _ ink: LogoPaint, _ name: MerchantName
    ) -> String {
        let weight = dice.between(5, 9)
        let paint = ink.main
        let body =
            "<circle cx=\"50\" cy=\"50\" r=\"\(Markup.number(48.5 - weight / 2))\" fill=\"none\""
            + " stroke=\"\(paint)\" stroke-width=\"\(Markup.number(weight))\"/>"
        return body + letters(name.initials, &dice, paint: ink.deep, height: 40)
    }

    private static func flag(_ dice: inout Dice, _ ink: LogoPaint) -> String {
        let lean = dice.between(14, 26)
        let count = dice.whole(2...4)
        let gap = 5.0
        let height = (94 - gap * Double(count - 1)) / Double(count)
        var body = ""
        for index in 0..<count {
            let y = 3 + Double(index) * (height + gap)
            let start = lean * (1 - Double(index) / Double(count))
            let end = 98 - lean * Double(index) / Double(count)
            let corners = [
                (x: start, y: y), (x: end, y: y), (x: end - lean * 0.9, y: y + height),
                (x: max(0, start - lean * 0.3), y: y + height),
            ]
            body += shape(Markup.polygon(corners), [ink.main, ink.second, ink.deep][index % 3])
        }
        return body
    }
}
