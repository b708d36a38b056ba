/// A damaged or hostile file, and its expected result.
struct BrokenFile: Sendable {
    let name: String
    let expected: String
    /// The number of zeros after the bytes, which the file system stores as a hole.
    let hole: Int
    let isTypical: Bool
    let make: @Sendable () -> [UInt8]

    init(
        _ name: String, _ expected: String, hole: Int = 0, typical: Bool = false,
        _ make: @escaping @Sendable () -> [UInt8]
    ) {
        self.name = name
        self.expected = expected
        self.hole = hole
        isTypical = typical
        self.make = make
    }

    static func all(seed: UInt64) -> [BrokenFile] {
        notPictures + pngs(seed: seed) + jpegs(seed: seed) + webps(seed: seed) + svgs(seed: seed)
            + misnamed(seed: seed)
    }

    static func logo(_ seed: UInt64, side: Int = 200) -> Bitmap {
        var dice = Dice(seed: seed, stream: "broken", number: side)
        return VectorCanvas.draw(LogoDesign(&dice).svg(), width: side, height: side)
    }

    static func photo(_ seed: UInt64, width: Int = 480, height: Int = 320) -> Bitmap {
        var dice = Dice(seed: seed, stream: "broken-photo", number: width)
        return PhotoPicture.picture(&dice, width: width, height: height)
    }

    static func cut(_ bytes: [UInt8], percent: Int) -> [UInt8] {
        Array(bytes.prefix(bytes.count * percent / 100))
    }

    private static let notPictures = [
        BrokenFile("empty.png", "not_image", typical: true) { [] },
        BrokenFile("empty.svg", "not_image") { [] },
        BrokenFile("one-byte.jpg", "not_image") { [0x78] },
        BrokenFile("zeros.png", "not_image") { [UInt8](repeating: 0, count: 4096) },
        BrokenFile("random.webp", "not_image") {
            var dice = Dice(seed: 1, stream: "random", number: 0)
            return (0..<4096).map { $0 == 0 ? 0x10 : UInt8(dice.below(256)) }
        },
        BrokenFile("text.jpg", "not_image", typical: true) {
            Array("This is a note about a logo, not the logo.\n".utf8)
        },
        BrokenFile("page.png", "not_image", typical: true) {
            Array(
                ("<!DOCTYPE html><html><head><title>404 Not Found</title></head>"
                    + "<body><h1>Not Found</h1></body></html>\n").utf8)
        },
        BrokenFile("page-with-drawing.svg", "not_image") {
            Array(
                ("<!DOCTYPE html><html><body><svg xmlns=\"http://www.w3.org/2000/svg\""
                    + " width=\"10\" height=\"10\"><path d=\"M0 0H9V9Z\"/></svg></body></html>\n")
                    .utf8)
        },
        BrokenFile("answer.webp", "not_image") { Array("{\"error\":\"no such logo\"}\n".utf8) },
        BrokenFile("tiff.jpg", "unsupported", typical: true) {
            [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0] + [UInt8](repeating: 0, count: 120)
        },
        BrokenFile("tiff-big-endian.png", "unsupported") {
            [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8] + [UInt8](repeating: 0, count: 120)
        },
        BrokenFile("document.png", "unsupported", typical: true) {
            Array("%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n".utf8)
        },
        BrokenFile("layers.png", "unsupported") {
            Array("8BPS".utf8) + [0, 1] + [UInt8](repeating: 0, count: 6)
                + [0, 3, 0, 0, 0, 64, 0, 0, 0, 64, 0, 8, 0, 3] + [UInt8](repeating: 0, count: 64)
        },
        BrokenFile("codestream.jpg", "unsupported") {
            [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
                + [UInt8](repeating: 0, count: 64)
        },
        BrokenFile("wavelets.jpg", "unsupported") {
            [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
                + [UInt8](repeating: 0, count: 64)
        },
        BrokenFile("too-large.png", "too_large", hole: 22_020_096) {
            PNGFile.encode(logo(1, side: 64), .rgba)
        },
    ]

    private static func misnamed(seed: UInt64) -> [BrokenFile] {
        [
            BrokenFile("png-named.jpg", "ok", typical: true) {
                PNGFile.encode(logo(seed), .rgba)
            },
            BrokenFile("jpeg-named.png", "ok", typical: true) { JPEGFile().encode(photo(seed)) },
            BrokenFile("webp-named.gif", "ok") { WebPFile.lossless(logo(seed)) },
            BrokenFile("svg-named.png", "ok") {
                var dice = Dice(seed: seed, stream: "misnamed", number: 0)
                return Array(LogoDesign(&dice).svg().utf8)
            },
        ]
    }
}
