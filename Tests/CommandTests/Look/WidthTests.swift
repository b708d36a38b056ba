import Codecs
import Notation
import Raster
import Support
import Testing

@Suite("Emblems of a fixed width", .ownThreads)
struct WidthTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        var wide = PixelBuffer(size: PixelSize(width: 400, height: 200))
        wide.fill(.black)
        let bytes = try ImageEncoder.encode(wide, EncodeSettings(format: .png))
        try folder.write(bytes, to: "in/acme.png")
        try folder.write("none", to: "in/bad.png")
    }

    private func emblem(_ words: String, status: Int32 = 0) throws -> Tool.Ending {
        let run = try Tool.emblem(words.split(separator: " ").map(String.init), in: folder.path)
        #expect(run.status == status, "\(words): \(run.errors)")
        return run
    }

    private func picture(_ name: String) throws -> PixelBuffer {
        let bytes = try folder.read(name)
        let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
        let decoded = try ImageDecoder.decode(
            bytes.span, header: header, request: DecodeRequest(limits: DecodeLimits()))
        guard case .raster(let picture) = consume decoded else {
            throw DecodeError.unsupported("a drawing")
        }
        return picture
    }

    /// Returns the first and the last black column in the middle row, and the size.
    private func black(_ name: String) throws -> (first: Int?, last: Int?, size: PixelSize) {
        let picture = try picture(name)
        let row = picture.height / 2 * picture.width
        let pixels = picture.pixels
        let columns = (0..<picture.width).filter { column in
            let offset = (row + column) * 4
            return (0..<3).allSatisfy { pixels[offset + $0] < 24 } && pixels[offset + 3] > 240
        }
        return (columns.first, columns.last, picture.size)
    }

    @Test(
        "every output has the width, and the image is fitted or fills it",
        arguments: [
            ("--mode fit", "120/acme.png", 1, 30, 269),
            ("--mode fit --format webp", "120/acme.webp", 1, 30, 269),
            ("--mode fit --format jpeg --sandbox none", "120/acme.jpg", 1, 30, 269),
            ("--mode fill --scale 2", "120/acme@2x.png", 2, 0, 599),
            ("--padding 20% --scale 2", "120/acme@2x.png", 2, 156, 443),
            ("--padding 20% --mode fill", "120/acme.png", 1, 24, 275),
        ])
    func sizes(options: String, name: String, scale: Int, first: Int, last: Int) throws {
        _ = try emblem("batch in -o out --height 120 --width 300 \(options)")
        let found = try black("out/\(name)")
        #expect(found.size == PixelSize(width: 300 * scale, height: 120 * scale))
        #expect(abs((found.first ?? -9) - first) <= 1, "\(found)")
        #expect(abs((found.last ?? -9) - last) <= 1, "\(found)")
        let outputs = try ManifestText(folder).items.flatMap { $0["outputs"]?.elements ?? [] }
        #expect(outputs.count == 2)
        for output in outputs {
            #expect(output["width"]?.intValue == 300 * scale)
            #expect(output["height"]?.intValue == 120 * scale)
        }
        for command in ["verify", "prove"] { _ = try emblem("\(command) out") }
        #expect(try ManifestText(folder).lines[0][path: ["options", "width"]]?.intValue == 300)
    }

    @Test("a second run reuses the outputs, and another width draws them again")
    func again() throws {
        _ = try emblem("batch in -o out --height 96 --width 200.5")
        #expect(try emblem("batch in -o out --height 96 --width 200.5").errors.contains("reused"))
        let third = try emblem("batch in -o out --height 96 --width 384")
        #expect(third.errors.contains("--width was 200.5 and is now 384"), "\(third.errors)")
        #expect(try black("out/96/acme.png").size == PixelSize(width: 384, height: 96))
    }

    @Test(
        "placeholders of every kind are in the middle of the width",
        arguments: ["icon:star", "initials:JD", "in/acme.png"])
    func placeholders(placeholder: String) throws {
        _ = try emblem("batch in -o out --height 96 --width 288 --placeholder \(placeholder)")
        _ = try emblem("batch in -o square --height 96 --placeholder \(placeholder)")
        #expect(try black("out/96/bad.png").size == PixelSize(width: 288, height: 96))
        guard placeholder.contains(":") else { return }
        #expect(try middle("out/96/bad.png", from: 96) == middle("square/96/bad.png", from: 0))
    }

    /// Returns the rows of the 48 columns between the corners of a square that begins at column
    /// `start`.
    private func middle(_ name: String, from start: Int) throws -> [[UInt8]] {
        let picture = try picture(name)
        let pixels = picture.pixels
        return (0..<picture.height).map { row in
            let first = (row * picture.width + start + 24) * 4
            return (first..<first + 192).map { pixels[$0] }
        }
    }

    @Test("render draws an icon, an image and an SVG of a fixed width")
    func render() throws {
        _ = try emblem("render emblem in/acme.png --height 80 --width 240 -o a.png")
        #expect(try black("a.png").size == PixelSize(width: 240, height: 80))
        _ = try emblem("render emblem --icon star --height 80 --width 240 --scale 2 -o b.png")
        #expect(try black("b.png").size == PixelSize(width: 480, height: 160))
        _ = try emblem("render emblem in/acme.png --height 80 --width 240 -o c.svg")
        #expect(try folder.text("c.svg").contains(#"width="240" height="80""#))
        _ = try emblem("render emblem in/acme.png --height 80 --width 79 -o d.png", status: 64)
    }

    @Test(
        "widths that a height does not allow are refused with the possible widths",
        arguments: [
            ("--height 96 --width 95", "Use 96 to 384 points"),
            ("--height 96 --width 385", "Use 96 to 384 points"),
            (
                "--height 96,630 --width 400",
                "A width of 400 points does not suit an emblem of layout 96"
            ),
            ("--height 96,630 --width 400", "Use other heights: no width suits all of them"),
            ("--height 96,200 --width 90", "Use 200 to 384 points"),
            ("--layout small,large --width 200", "emblem of layout small"),
            ("--height 1024 --width 4097", "is not square, auto or a number from 1 to 4096"),
            ("--height 96 --width 0", "square, auto or a number"),
            ("--height 96 --width 1e2", "square, auto or a number"),
            ("--height 96 --width wide", "square, auto or a number"),
            ("--height 1024 --width 4096 --scale 4 --format webp", "too large for webp"),
            ("--component avatar --height 96 --width 96", "which are circles"),
        ])
    func limits(options: String, expected: String) throws {
        let run = try emblem("batch in -o out \(options)", status: 64)
        #expect(run.errors.contains(expected), "\(run.errors)")
        #expect(!folder.exists("out"))
    }

    @Test("a row whose layout does not allow the width fails with bad_row")
    func rows() throws {
        try folder.write(
            "source,id,layout\nin/acme.png,one,large\nin/acme.png,two,small\n", to: "list.csv")
        _ = try emblem("batch --list list.csv -o out --layout large --width 200")
        let manifest = try ManifestText(folder)
        #expect(manifest.item("one")?["status"]?.stringValue == "ok")
        #expect(manifest.errorClass("two") == "bad_row")
        let failures = try emblem("failures out")
        #expect(failures.output.contains("suit small; use 40 to 160"), "\(failures.output)")
    }

    @Test("a look of --recipe and a look of emblem.json have a width")
    func looks() throws {
        try folder.write(
            #"{"og": {"width": 1200, "height": 630, "padding": "20%"}, "tab": {"height": 32}}"#,
            to: "looks.json")
        _ = try emblem("batch in -o out --recipe looks.json")
        let og = try black("out/og/630/acme.png")
        #expect(og.size == PixelSize(width: 1200, height: 630))
        #expect(og.first == 222 && og.last == 977, "\(og)")
        #expect(try black("out/tab/32/acme.png").size == PixelSize(width: 32, height: 32))
        try folder.write(#"{"looks": {"card": {"width": 200}}}"#, to: "emblem.json")
        _ = try emblem("batch in -o card --look card --height 96")
        #expect(try black("card/96/acme.png").size == PixelSize(width: 200, height: 96))
        try folder.write(#"{"og": {"width": 1200, "height": 64}}"#, to: "looks.json")
        let run = try emblem("batch in -o no --recipe looks.json", status: 64)
        #expect(run.errors.contains("Use 64 to 256 points"), "\(run.errors)")
    }
}
