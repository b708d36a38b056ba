import Codecs
import Digest
import Foundation
import Raster
import Support
import Testing

/// Compares the result for every file of the archive with its row in `pictures.tsv`: the format or
/// the class of the error, the size, the SHA-256 of the pixels, and the header or the text of the
/// error. `EMBLEM_GOLDEN=renew` writes the rows again.
@Suite("The table of pictures")
struct PictureTableTests {
    private static let path = Repository.path("Tests/Fixtures/pictures.tsv")
    private static let folders = [
        "bmp", "cicp", "damage", "foreign", "gif", "heif", "ico", "jpeg", "photo", "png", "reduce",
        "svg", "webp",
    ]

    private static let expected: [Substring: [Substring]] = {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(grouping: rows) { $0.prefix { $0 != "/" } }
    }()

    private static func row(_ file: PictureFile) -> String {
        let columns: [String]
        do throws(DecodeError) {
            columns = try facts(of: file.bytes)
        } catch {
            columns = [error.name, "", "", error.detail]
        }
        let filled = columns.prefix(1 + (columns.lastIndex { !$0.isEmpty } ?? 0))
        return ([file.name] + filled).joined(separator: "\t")
    }

    private static func facts(of bytes: [UInt8]) throws(DecodeError) -> [String] {
        let header = try ImageDecoder.header(of: bytes.span)
        switch try ImageDecoder.decode(bytes.span, header: header, request: DecodeRequest()) {
        case .raster(let picture):
            let hash = SHA256.hash(picture.pixels.copied().span).prefixHex(16)
            return [
                header.format.name, "\(picture.size)", hash, describe(header, picture.isOpaque),
            ]
        case .vector(let drawing):
            let drawn = try drawing.render(at: PixelSize(width: 40, height: 40))
            let words =
                (drawing.isTemplate ? ["template"] : [])
                + (drawing.hasUnsupportedFeature ? ["unsupported-feature"] : [])
            return [
                header.format.name,
                String(format: "%.7gx%.7g", drawing.exactWidth, drawing.exactHeight),
                pixel(drawn, 20, 20).map { String(format: "%02x", $0) }.joined(),
                words.joined(separator: ", "),
            ]
        }
    }

    private static func describe(_ header: ImageHeader, _ isOpaque: Bool) -> String {
        var words = [header.colorModel.rawValue, "\(header.bitsPerChannel) bits"]
        if header.hasAlpha { words.append("alpha") }
        if isOpaque { words.append("opaque") }
        if header.isProgressive { words.append("progressive") }
        if header.isAnimated { words.append("animated") }
        if header.orientation != .up { words.append("orientation \(header.orientation.rawValue)") }
        if header.hasProfile { words.append("profile \(header.profileName ?? "without name")") }
        return words.joined(separator: ", ")
    }

    @Test("the archive has every file of the table and no other")
    func names() throws {
        let names = Self.folders.flatMap { PictureFile.files(in: $0).map(\.name) }
        if ProcessInfo.processInfo.environment["EMBLEM_GOLDEN"] == "renew" {
            let rows = Self.folders.flatMap { PictureFile.files(in: $0).map(Self.row) }
            let head = "# file\tformat or error\tsize\tpixels\theader or text of the error\n"
            try (head + rows.joined(separator: "\n") + "\n")
                .write(toFile: Self.path, atomically: true, encoding: .utf8)
            return
        }
        let rows = Self.folders.flatMap { Self.expected[Substring($0)] ?? [] }
        #expect(rows.map { $0.split(separator: "\t")[0] } == names.map { Substring($0) })
        #expect(names.count > 600)
    }

    @Test("every file has the result of its row, at a bounded cost", arguments: folders)
    func rows(folder: String) {
        let rows = Self.expected[Substring(folder)] ?? []
        for (file, row) in zip(PictureFile.files(in: folder), rows) {
            let cost = processorSeconds {
                let found = Self.row(file)
                #expect(found == row)
            }
            #expect(cost < 10, "\(file.name)")
        }
    }

    @Test(
        "a picture has its declared size, costs at least its pixels, and obeys the limits",
        arguments: folders.filter { $0 != "svg" })
    func limits(folder: String) {
        for file in PictureFile.files(in: folder) {
            guard case .picture(let size, _, _) = Outcome(file.bytes) else { continue }
            let header = try? readHeader(file.bytes)
            #expect(header?.size == size, "\(file.name)")
            let cost = header.map { ImageDecoder.memoryCost(of: $0, request: DecodeRequest()) }
            #expect(cost ?? 0 >= size.byteCount, "\(file.name)")
            let smaller = DecodeRequest(limits: DecodeLimits(pixels: size.area - 1))
            #expect(Outcome(file.bytes, smaller).error == .limitPixels, "\(file.name)")
            let shorter = DecodeLimits(edge: max(size.width, size.height) - 1)
            #expect(
                Outcome(file.bytes, DecodeRequest(limits: shorter)).error == .limitPixels,
                "\(file.name)")
        }
    }

    @Test(
        "memory, codec and bytes after the end do not change a result",
        arguments: folders.filter { $0 != "svg" })
    func invariance(folder: String) {
        for file in PictureFile.files(in: folder) {
            let result = Outcome(file.bytes)
            let byRows = Outcome(file.bytes, DecodeRequest(workingBytes: 0))
            #expect(
                byRows == result || result.error != nil && byRows.name == result.name,
                "\(file.name)")
            let libraries = Outcome(file.bytes, DecodeRequest(codecs: .system))
            #expect(
                libraries == result || result.error != nil && libraries.name == result.name,
                "\(file.name)")
            // A PNG without its end chunk continues in the bytes after it.
            guard result.error == nil, !Self.endless.contains(file.name) else { continue }
            #expect(Outcome(file.bytes + Self.tail) == result, "\(file.name)")
        }
    }

    /// The beginning of an archive, and zeros.
    private static let tail = [0x50, 0x4B, 3, 4, 20, 0] + [UInt8](repeating: 0, count: 5_000)

    private static let endless = ["png/chunks-many", "png/fault/no-IEND"]

    @Test("a file cut at any byte is truncated or not an image")
    func cuts() throws {
        let names = [
            "gif/damage", "bmp/24-bits", "heif/turned-avif", "heif/turned-heic", "png/rgb-8",
            "png/rgba-8-interlaced",
        ]
        let whole = try names.map { (name: $0, bytes: try PictureFile.bytes($0)) }
        for (name, bytes) in PictureFile.files(in: "damage").map({ ($0.name, $0.bytes) }) + whole {
            for length in stride(from: 1, to: bytes.count * 9 / 10, by: 7) {
                let outcome = Outcome(Array(bytes.prefix(length))).name
                let isFine = outcome == "truncated" || length < 16 && outcome != "ok"
                // An arithmetic coder omits trailing zeros.
                #expect(
                    isFine || name.contains("arithmetic") && length > bytes.count * 8 / 10,
                    "\(name), \(length) of \(bytes.count): \(outcome)")
            }
        }
    }

    @Test("every prefix of a PNG is truncated, whole and by rows")
    func prefixes() throws {
        for name in ["png/rgba-8-small", "png/palette-4-interlaced-small", "png/grey-2-thin"] {
            let file = try PictureFile.bytes(name)
            // The two checksums and the end marker may be missing, and the last two bytes of a
            // stream may contain no pixel data.
            for count in 4..<file.count - 24 {
                let prefix = Array(file[..<count])
                #expect(Outcome(prefix).name == "truncated", "\(count) of \(file.count)")
                let byRows = Outcome(prefix, DecodeRequest(workingBytes: 0))
                #expect(byRows.name == "truncated", "\(count)")
            }
            for count in file.count - 12..<file.count {
                #expect(Outcome(Array(file[..<count])).name == "ok", "\(count)")
            }
        }
    }

    @Test("no metadata of a source is in an output")
    func metadata() throws {
        let decoded = try decode(PictureFile.bytes("jpeg/metadata"))
        for format in OutputFormat.allCases {
            let bytes = try ImageEncoder.encode(decoded, EncodeSettings(format: format))
            for word in [
                "GPSLatitude", "Exif", "EXIF", "eXIf", "ICC_PROFILE", "ICCP", "iCCP", "xap",
            ] {
                #expect(bytes.firstRange(of: Array(word.utf8)) == nil, "\(word) in \(format)")
            }
        }
    }

    @Test("a HEIF grid of 48 megapixels needs less than the 448 MB of a batch")
    func largePhoto() throws {
        let header = try readHeader(PictureFile.bytes("large/grid-of-48-megapixels.avif"))
        let cost = ImageDecoder.memoryCost(of: header, request: DecodeRequest())
        #expect(cost > 8064 * 6048 * 8 && cost < 448 << 20)
    }

    @Test("libheif's own tool gives the same pixels for a tiled HEIC")
    func sameAsLibheif() throws {
        let bytes = try PictureFile.bytes("heif/grid.heic")
        let folder = try ScratchFolder()
        let file = try folder.write(bytes, to: "grid.heic")
        let ending = try Tool.run("/usr/bin/heif-convert", [file, folder.path("grid.png")])
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(Outcome(bytes) == Outcome(try folder.read("grid.png")))
    }

    @Test("the size limits apply to each side and to the number of pixels")
    func sides() throws {
        let limits = DecodeLimits(pixels: 9_000, edge: 99)
        try limits.check(PixelSize(width: 99, height: 90))
        for (width, height) in [(100, 9), (9, 100), (95, 95)] {
            #expect(throws: DecodeError.limitPixels) {
                try limits.check(PixelSize(width: width, height: height))
            }
        }
    }

    @Test("a progressive JPEG may have half of the pixel limit, or 25 million pixels if more")
    func progressive() throws {
        for (pixels, wanted) in [(50, 25), (100, 50), (30, 25), (10, 10)] {
            let limits = DecodeLimits(pixels: pixels * 1_000_000)
            try limits.check(PixelSize(width: wanted * 1000, height: 1000), progressive: true)
            #expect(throws: DecodeError.limitPixels) {
                try limits.check(
                    PixelSize(width: wanted * 1000 + 1, height: 1000), progressive: true)
            }
        }
        #expect("\(DecodeError.limitPixels)".contains("progressive JPEG"))
    }
}
