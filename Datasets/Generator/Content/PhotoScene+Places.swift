extension PhotoScene {
    private static func mix(_ from: (Int, Int, Int), _ to: (Int, Int, Int), _ share: Double)
        -> String
    {
        func part(_ a: Int, _ b: Int) -> Int { a + Int((Double(b - a) * share).rounded()) }
        return BrandColors.hex(part(from.0, to.0), part(from.1, to.1), part(from.2, to.2))
    }

    /// Returns the line of a ridge by midpoint displacement.
    private func ridge(
        _ dice: inout Dice, base: Double, relief: Double, levels: Int, fall: Double
    ) -> String {
        var heights = [dice.between(-1, 1), dice.between(-1, 1)]
        var swing = 1.0
        for _ in 0..<levels {
            var finer = [heights[0]]
            for index in 1..<heights.count {
                let middle = (heights[index - 1] + heights[index]) / 2
                finer.append(middle + dice.between(-swing, swing))
                finer.append(heights[index])
            }
            heights = finer
            swing *= fall
        }
        var points: [(x: Double, y: Double)] = [(-10, 1010)]
        for (index, value) in heights.enumerated() {
            let x = -10 + (width + 20) * Double(index) / Double(heights.count - 1)
            points.append((x, base + value * relief))
        }
        points.append((width + 10, 1010))
        return Markup.polygon(points)
    }

    mutating func landscape(_ dice: inout Dice) {
        let skies: [((Int, Int, Int), (Int, Int, Int))] = [
            ((72, 128, 196), (206, 222, 232)), ((38, 66, 118), (244, 178, 120)),
            ((112, 150, 182), (232, 226, 208)), ((96, 84, 132), (250, 196, 168)),
        ]
        let grounds = [(58, 84, 46), (84, 78, 52), (44, 66, 60), (112, 92, 62), (52, 58, 44)]
        let sky = dice.pick(skies)
        let ground = dice.pick(grounds)
        let horizon = dice.between(420, 640)
        let top = Self.mix(sky.0, sky.1, 0)
        let bottom = Self.mix(sky.0, sky.1, 1)
        add(Markup.box(0, 0, width, 1000), linear(top, bottom), 10)
        let sunX = dice.between(0.1, 0.9) * width
        glow(sunX, horizon - dice.between(60, 260), 420, 380, "#FFF3D6", 0.75)
        for _ in 0..<dice.whole(14...40) {
            let y = dice.between(20, horizon - 60)
            let wide = dice.between(60, 320)
            glow(
                dice.between(-0.1, 1.1) * width, y, wide, wide * dice.between(0.12, 0.4), "#FFFFFF",
                dice.between(0.1, 0.5))
        }
        let count = dice.whole(3...5)
        for index in 0..<count {
            let near = Double(index + 1) / Double(count)
            let base = horizon + (1000 - horizon) * 0.62 * Double(index) / Double(count)
            let path = ridge(
                &dice, base: base, relief: 130 * (1.1 - near * 0.75), levels: 8,
                fall: dice.between(0.48, 0.58))
            let light = Self.mix(sky.1, ground, 0.25 + near * 0.6)
            let dark = Self.mix(sky.1, ground, 0.4 + near * 0.6)
            add(path, linear(light, dark), 50 + Int(near * 170))
        }
        if dice.chance(45) {
            let shore = dice.between(800, 880)
            add(Markup.box(0, shore, width, 1000 - shore), linear(bottom, top), 26, opacity: 0.9)
            for _ in 0..<40 {
                let y = dice.between(shore, 1000)
                add(
                    Markup.ellipse(
                        dice.between(0, width), y, dice.between(30, 200), dice.between(0.8, 2.6)),
                    "#FFFFFF", nil, opacity: dice.between(0.06, 0.3))
            }
        } else {
            trees(&dice, ground: ground)
        }
    }

    private mutating func trees(_ dice: inout Dice, ground: (Int, Int, Int)) {
        for _ in 0..<dice.whole(20...70) {
            let x = dice.between(-0.05, 1.05) * width
            let foot = dice.between(840, 1010)
            let tall = dice.between(60, 190) * (foot / 1000)
            let wide = tall * dice.between(0.16, 0.26)
            var points: [(x: Double, y: Double)] = [(x, foot - tall)]
            for step in 1...6 {
                let y = foot - tall * (1 - Double(step) / 6)
                points.append((x + wide * Double(step) / 6 * dice.between(0.75, 1.1), y))
                points.append((x + wide * Double(step) / 6 * dice.between(0.4, 0.6), y))
            }
            for step in stride(from: 6, through: 1, by: -1) {
                let y = foot - tall * (1 - Double(step) / 6)
                points.append((x - wide * Double(step) / 6 * dice.between(0.4, 0.6), y))
                points.append((x - wide * Double(step) / 6 * dice.between(0.75, 1.1), y))
            }
            let paint = Self.mix(ground, (14, 24, 20), dice.between(0.35, 0.8))
            add(Markup.polygon(points), paint, 235)
        }
    }

    mutating func portrait(_ dice: inout Dice) {
        let walls = [(64, 84, 96), (142, 120, 98), (86, 104, 78), (120, 128, 140), (60, 52, 74)]
        let coats = [(34, 48, 78), (138, 46, 52), (40, 44, 50), (196, 190, 178), (56, 92, 86)]
        let skins = [(240, 200, 172), (222, 172, 138), (184, 128, 92), (122, 80, 56), (92, 58, 42)]
        let hairs = [(40, 28, 24), (92, 60, 34), (20, 20, 24), (176, 134, 84), (132, 130, 128)]
        let wall = dice.pick(walls)
        let coat = dice.pick(coats)
        let skin = dice.pick(skins)
        let hair = dice.pick(hairs)
        add(
            Markup.box(0, 0, width, 1000),
            linear(Self.mix(wall, (255, 255, 255), 0.35), Self.mix(wall, (0, 0, 0), 0.3)), 16)
        for _ in 0..<dice.whole(16...44) {
            let size = dice.between(30, 120)
            add(
                Markup.circle(dice.between(0, width), dice.between(0, 800), size),
                Self.mix(wall, (255, 226, 170), dice.between(0.3, 0.9)), nil,
                opacity: dice.between(0.06, 0.3))
        }
        let x = width * dice.between(0.44, 0.56)
        let face = dice.between(150, 185)
        let eye = dice.between(380, 430)
        let chin = eye + face * 1.05
        let long = dice.chance(50)
        if long {
            add(
                Markup.ellipse(x, eye + 40, face * 1.25, face * 1.75),
                linear(Self.mix(hair, (255, 255, 255), 0.12), Self.mix(hair, (0, 0, 0), 0.35)), 150)
        }
        let shoulder = face * 2.5
        let n = Markup.number
        let body =
            "M\(n(x - shoulder)) 1010C\(n(x - shoulder)) \(n(chin + 170))"
            + " \(n(x - face)) \(n(chin + 150))"
            + " \(n(x - face * 0.5)) \(n(chin + 80))L\(n(x + face * 0.5)) \(n(chin + 80))"
            + "C\(n(x + face)) \(n(chin + 150)) \(n(x + shoulder)) \(n(chin + 170))"
            + " \(n(x + shoulder)) 1010Z"
        let neck = Markup.box(
            x - face * 0.42, eye + 60, face * 0.84, face * 1.25, round: face * 0.4)
        add(
            body, linear(Self.mix(coat, (255, 255, 255), 0.16), Self.mix(coat, (0, 0, 0), 0.4)), 54
        )
        add(neck, linear(Self.mix(skin, (0, 0, 0), 0.28), Self.mix(skin, (0, 0, 0), 0.1)), 34)
        add(
            Markup.ellipse(x, eye + 20, face, face * 1.3),
            radial(
                Self.mix(skin, (255, 255, 255), 0.22), 1, Self.mix(skin, (0, 0, 0), 0.26), 1,
                x: 0.4, y: 0.4, radius: 0.7), 40)
        let side = face * 0.4
        for sign in [-1.0, 1] {
            add(
                Markup.ellipse(x + sign * side, eye + 12, face * 0.13, face * 0.06), "#F4F1EC", 10)
            add(Markup.circle(x + sign * side, eye + 12, face * 0.058), "#3A2A22", 10)
            add(
                Markup.ellipse(x + sign * side, eye - 30, face * 0.21, face * 0.035),
                Self.mix(hair, skin, 0.2), 120)
        }
        glow(x, eye + face * 0.42, face * 0.16, face * 0.3, "#5A2E20", 0.35)
        add(
            Markup.ellipse(x, eye + face * 0.76, face * 0.3, face * 0.07),
            Self.mix(skin, (150, 50, 50), 0.55), 20)
        let fringe = eye - face * dice.between(0.55, 0.8)
        let cap =
            "M\(n(x - face * 1.08)) \(n(eye + 10))C\(n(x - face * 1.2)) \(n(eye - face * 1.7))"
            + " \(n(x + face * 1.2)) \(n(eye - face * 1.7)) \(n(x + face * 1.08)) \(n(eye + 10))"
            + "C\(n(x + face * 0.8)) \(n(fringe - 40)) \(n(x - face * 0.2)) \(n(fringe))"
            + " \(n(x - face * 1.08)) \(n(eye + 10))Z"
        add(cap, linear(Self.mix(hair, (255, 255, 255), 0.2), Self.mix(hair, (0, 0, 0), 0.3)), 170)
    }

    mutating func stillLife(_ dice: inout Dice) {
        let walls = [(196, 188, 176), (96, 112, 118), (214, 204, 190), (70, 66, 72)]
        let woods = [(150, 108, 70), (110, 76, 52), (186, 156, 120), (84, 70, 62)]
        let fruits = [
            (206, 60, 44), (232, 150, 38), (150, 176, 62), (240, 206, 70), (120, 42, 70),
            (214, 92, 60), (90, 120, 56),
        ]
        let wall = dice.pick(walls)
        let wood = dice.pick(woods)
        let edge = dice.between(520, 640)
        add(
            Markup.box(0, 0, width, 1000),
            linear(Self.mix(wall, (0, 0, 0), 0.3), Self.mix(wall, (255, 255, 255), 0.2)), 30)
        add(
            Markup.box(0, edge, width, 1000 - edge),
            linear(Self.mix(wood, (255, 255, 255), 0.14), Self.mix(wood, (0, 0, 0), 0.35)), 170)
        for _ in 0..<46 {
            let y = dice.between(edge, 1000)
            add(
                Markup.ellipse(
                    dice.between(0, width), y, dice.between(120, 620), dice.between(0.8, 3)),
                "#2A1A10", nil, opacity: dice.between(0.05, 0.22))
        }
        var balls: [(x: Double, y: Double, size: Double)] = []
        for _ in 0..<dice.whole(4...9) {
            balls.append(
                (
                    dice.between(0.12, 0.88) * width, dice.between(edge + 20, 900),
                    dice.between(80, 150)
                ))
        }
        for ball in balls.sorted(by: { $0.y < $1.y }) {
            let color = dice.pick(fruits)
            let middle = ball.y - ball.size * 0.8
            glow(
                ball.x + ball.size * 0.5, ball.y + ball.size * 0.12, ball.size * 1.6,
                ball.size * 0.4,
                "#100804", 0.75)
            add(
                Markup.ellipse(ball.x, middle, ball.size, ball.size * 0.94),
                radial(
                    Self.mix(color, (255, 255, 255), 0.42), 1, Self.mix(color, (10, 4, 8), 0.62), 1,
                    x: 0.34, y: 0.3, radius: 0.78), 78)
            glow(
                ball.x - ball.size * 0.36, middle - ball.size * 0.42, ball.size * 0.26,
                ball.size * 0.2, "#FFFFFF", 0.85)
        }
    }

    mutating func skyline(_ dice: inout Dice) {
        let evening = dice.chance(55)
        let top = evening ? (24, 32, 66) : (110, 152, 196)
        let low = evening ? (236, 150, 104) : (224, 230, 228)
        add(Markup.box(0, 0, width, 1000), linear(Self.mix(top, low, 0), Self.mix(top, low, 1)), 10)
        glow(dice.between(0.2, 0.8) * width, 660, 700, 320, "#FFE2B8", 0.6)
        for row in 0..<3 {
            let depth = Double(row) / 2
            var x = -20.0
            while x < width + 20 {
                let wide = dice.between(46, 120) * (0.8 + depth * 0.4)
                let roof = dice.between(260, 640) + depth * 150
                let wall = Self.mix(low, evening ? (22, 24, 38) : (86, 88, 96), 0.5 + depth * 0.4)
                let foot = Self.mix(low, evening ? (10, 12, 22) : (60, 62, 70), 0.6 + depth * 0.4)
                add(
                    Markup.box(x, roof, wide, 1010 - roof), linear(wall, foot), 60 + Int(depth * 80)
                )
                var panes = ""
                var y = roof + 14
                while y < 960 {
                    var column = x + 7
                    while column < x + wide - 10 {
                        if dice.chance(evening ? 45 : 80) {
                            panes += Markup.box(column, y, 6, 9)
                        }
                        column += 12
                    }
                    y += 18
                }
                if !panes.isEmpty {
                    add(
                        panes, evening ? dice.pick(["#FFD890", "#FFC46A", "#FFE9C0"]) : "#33404E",
                        nil,
                        opacity: 0.25 + depth * 0.55)
                }
                x += wide + dice.between(-6, 16)
            }
        }
        add(Markup.box(0, 950, width, 60), "#1B1C22", 150)
    }
}
