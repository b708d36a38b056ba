/// A PNG file of a logo: a design, a size and a pixel format.
struct LogoPicture: Sendable {
    /// The way in which the file differs from a transparent RGBA file; `plain` does not differ.
    enum Kind: Sendable, CaseIterable {
        case plain, palette, deep, grey, greyAlpha, interlaced, whiteMargin, opaque
    }

    let design: LogoDesign
    let kind: Kind
    let width: Int
    let height: Int
    let hidden: UInt8
    let path: String

    /// Creates the logo with this number. `transparent` excludes the kinds without alpha.
    init(seed: UInt64, number: Int, folder: String, transparent: Bool, sides: [Int] = Self.sides) {
        var dice = Dice(seed: seed, stream: "logo", number: number)
        let wide = dice.chance(24)
        design = LogoDesign(&dice, wide: wide)
        kind = Self.kind(&dice, transparent: transparent)
        let side = dice.pick(sides)
        if wide {
            let longest = max(side, min(512, sides.last ?? side))
            width = longest
            height = max(24, Int((Double(longest) * 100 / design.width).rounded()))
        } else {
            width = side
            height = side
        }
        hidden = dice.chance(30) ? 255 : 0
        path = "\(folder)/\(design.name.slug)-\(Self.padded(number)).png"
    }

    func bytes() -> [UInt8] {
        let drawn = VectorCanvas.draw(design.svg(), width: width, height: height)
        switch kind {
        case .plain: return PNGFile.encode(drawn.hiding(hidden, hidden, hidden), .rgba)
        case .palette: return PNGFile.encode(drawn, .palette)
        case .deep: return PNGFile.encode(drawn, .deep)
        case .grey: return PNGFile.encode(drawn.over(red: 255, green: 255, blue: 255).grey(), .grey)
        case .greyAlpha: return PNGFile.encode(drawn.grey(), .greyAlpha)
        case .interlaced: return PNGFile.encode(drawn, .rgba, interlaced: true)
        case .whiteMargin:
            let page = drawn.framed(margin: width / 7, red: 255, green: 255, blue: 255)
            return PNGFile.encode(page, .rgb)
        case .opaque: return PNGFile.encode(drawn.over(red: 250, green: 250, blue: 252), .rgb)
        }
    }

    static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static let sides = [
        128, 128, 160, 192, 200, 225, 256, 256, 300, 320, 400, 400, 480, 500, 512, 512, 600, 640,
        800, 1024,
    ]

    private static func kind(_ dice: inout Dice, transparent: Bool) -> Kind {
        let lot = dice.below(100)
        if transparent {
            switch lot {
            case ..<86: return .plain
            case ..<94: return .palette
            case ..<97: return .greyAlpha
            case ..<99: return .deep
            default: return .interlaced
            }
        }
        switch lot {
        case ..<58: return .plain
        case ..<70: return .palette
        case ..<76: return .deep
        case ..<79: return .grey
        case ..<83: return .greyAlpha
        case ..<88: return .interlaced
        case ..<95: return .whiteMargin
        default: return .opaque
        }
    }
}
