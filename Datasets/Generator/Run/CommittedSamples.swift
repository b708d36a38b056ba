enum CommittedSamples {
    static func files(seed: UInt64) -> [DatasetFile] {
        [
            DatasetFile(path: "logos/lumina-bank.png") { logo(seed, 3, 256, .rgba) },
            DatasetFile(path: "logos/torvella-coffee.png") { logo(seed, 8, 192, .palette) },
            DatasetFile(path: "logos/wesinva.png") { wide(seed) },
            DatasetFile(path: "logos/kelford-rail.png") { logo(seed, 21, 160, .greyAlpha) },
            DatasetFile(path: "photos/valley.jpg") { photo(seed, 0, orientation: nil) },
            DatasetFile(path: "photos/turned.jpg") { photo(seed, 4, orientation: 6) },
            DatasetFile(path: "webp/marvia-travel.webp") {
                var dice = Dice(seed: seed, stream: "committed", number: 5)
                return WebPFile.lossless(
                    VectorCanvas.draw(LogoDesign(&dice).svg(), width: 240, height: 240))
            },
            DatasetFile(path: "svg/wordmark.svg") {
                var dice = Dice(seed: seed, stream: "committed", number: 6)
                return Array(LogoDesign(&dice, wide: true).svg().utf8)
            },
            DatasetFile(path: "svg/template.svg") {
                var dice = Dice(seed: seed, stream: "committed", number: 7)
                return Array(LogoDesign(&dice, paint: LogoPaint(single: "currentColor")).svg().utf8)
            },
            DatasetFile(path: "broken/half.png") {
                let whole = logo(seed, 3, 128, .rgba)
                return Array(whole.prefix(whole.count / 2))
            },
            DatasetFile(text: "emblems.csv", csv), DatasetFile(text: "emblems.ndjson", lines),
        ]
    }

    private static let rows: [(id: String, source: String, label: String, appearance: String)] = [
        ("lumina-bank", "logos/lumina-bank.png", "Lumina Bank", "brand"),
        ("torvella-coffee", "logos/torvella-coffee.png", "Torvella Coffee", "brand"),
        ("wesinva", "logos/wesinva.png", "Wesinva", "brand"),
        ("kelford-rail", "logos/kelford-rail.png", "Kelford Rail", "category3"),
        ("valley", "photos/valley.jpg", "Valley", "brand"),
        ("turned", "photos/turned.jpg", "Turned", "brand"),
        ("marvia-travel", "webp/marvia-travel.webp", "Marvia Travel", "brand"),
        ("wordmark", "svg/wordmark.svg", "Wordmark", "brand"),
        ("template", "svg/template.svg", "Template", "category7"),
        ("gone", "logos/gone.png", "Gone Market", "info"),
        ("half", "broken/half.png", "Half Energy", "warning"),
    ]

    private static var csv: String {
        "id,source,label,appearance,mode\n"
            + rows.map {
                "\($0.id),\($0.source),\($0.label),\($0.appearance),\(mode(of: $0.source))\n"
            }
            .joined()
    }

    private static var lines: String {
        rows.map {
            "{\"id\":\"\($0.id)\",\"source\":\"\($0.source)\",\"label\":\"\($0.label)\","
                + "\"appearance\":\"\($0.appearance)\",\"mode\":\"\(mode(of: $0.source))\"}\n"
        }.joined()
    }

    private static func mode(of source: String) -> String {
        source.hasPrefix("photos/") ? "fill" : "fit"
    }

    private static func logo(
        _ seed: UInt64, _ number: Int, _ side: Int, _ form: PNGFile.Form
    ) -> [UInt8] {
        var dice = Dice(seed: seed, stream: "committed", number: number)
        let drawn = VectorCanvas.draw(LogoDesign(&dice).svg(), width: side, height: side)
        return PNGFile.encode(form == .greyAlpha ? drawn.grey() : drawn, form)
    }

    private static func wide(_ seed: UInt64) -> [UInt8] {
        var dice = Dice(seed: seed, stream: "committed", number: 40)
        let design = LogoDesign(&dice, wide: true)
        let height = Int((48_000 / design.width).rounded())
        return PNGFile.encode(
            VectorCanvas.draw(design.svg(), width: 480, height: height), .rgba)
    }

    private static func photo(_ seed: UInt64, _ number: Int, orientation: Int?) -> [UInt8] {
        var dice = Dice(seed: seed, stream: "committed-photo", number: number)
        var form = JPEGFile()
        form.quality = 76
        form.orientation = orientation
        form.isProgressive = orientation != nil
        return form.encode(PhotoPicture.picture(&dice, width: 300, height: 240))
    }
}
