struct SVGPicture: Sendable {
    let path: String
    let label: String
    let isTemplate: Bool
    private let text: String

    init(seed: UInt64, number: Int, folder: String) {
        var dice = Dice(seed: seed, stream: "svg", number: number)
        isTemplate = number % 3 == 1
        let paint = isTemplate ? LogoPaint(single: "currentColor") : nil
        let design = LogoDesign(&dice, wide: !isTemplate && dice.chance(25), paint: paint)
        let kind = isTemplate ? "template" : "logo"
        label = design.name.label
        let packed = number % 10 == 9
        path =
            "\(folder)/\(design.name.slug)-\(kind)-\(LogoPicture.padded(number))"
            + (packed ? ".svgz" : ".svg")
        let root: String? =
            switch number % 7 {
            case 2: design.viewBox
            case 3: "width=\"51500\" height=\"51500\" \(design.viewBox)"
            case 4: "width=\"100%\" height=\"100%\" \(design.viewBox)"
            default: nil
            }
        text = design.svg(root: root)
    }

    func bytes() -> [UInt8] {
        path.hasSuffix(".svgz") ? PNGFile.gzip(Array(text.utf8)) : Array(text.utf8)
    }
}
