extension BrokenFile {
    static func svgs(seed: UInt64) -> [BrokenFile] {
        [
            BrokenFile("svg-cut-50.svg", "truncated", typical: true) {
                cut(whole(seed), percent: 50)
            },
            BrokenFile("svg-cut-90.svg", "truncated") { cut(whole(seed), percent: 90) },
            BrokenFile("svgz-cut-50.svgz", "corrupt") {
                cut(PNGFile.gzip(whole(seed)), percent: 50)
            },
            BrokenFile("svg-crossed-tags.svg", "corrupt", typical: true) {
                text("<g><path d=\"M0 0H9V9Z\"></g></path>")
            },
            BrokenFile("svg-entities.svg", "limit_decode") { entities },
            BrokenFile("svg-foreign-files.svg", "ok", typical: true) {
                text(
                    "<image href=\"file:///etc/hostname\" width=\"9\" height=\"9\"/>"
                        + "<image href=\"http://127.0.0.1/x.png\" width=\"9\" height=\"9\"/>"
                        + "<path d=\"M1 1H9V9Z\" fill=\"#0B5FFF\"/>")
            },
            BrokenFile("svg-size-51500.svg", "ok", typical: true) {
                var dice = Dice(seed: seed, stream: "broken-svg", number: 1)
                let design = LogoDesign(&dice)
                return Array(
                    design.svg(root: "width=\"51500\" height=\"51500\" \(design.viewBox)").utf8)
            },
            BrokenFile("svg-long-comment.svg", "ok") {
                Array(("<!-- " + String(repeating: "logo ", count: 12_000) + "-->\n").utf8)
                    + whole(seed)
            },
        ]
    }

    private static func whole(_ seed: UInt64) -> [UInt8] {
        var dice = Dice(seed: seed, stream: "broken-svg", number: 0)
        return Array(LogoDesign(&dice, wide: true).svg().utf8)
    }

    private static func text(_ body: String) -> [UInt8] {
        Array(
            ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\">" + body
                + "</svg>\n").utf8)
    }

    /// Ten entities, each ten times the one before.
    private static let entities: [UInt8] = {
        var text = "<?xml version=\"1.0\"?>\n<!DOCTYPE svg [<!ENTITY a0 \"ha\">"
        for level in 1...9 {
            let inner = String(repeating: "&a\(level - 1);", count: 10)
            text += "<!ENTITY a\(level) \"\(inner)\">"
        }
        text += "]>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\">"
        return Array((text + "<text>&a9;</text></svg>\n").utf8)
    }()
}
