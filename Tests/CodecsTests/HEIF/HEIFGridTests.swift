import Codecs
import Raster
import Support
import Testing

/// An image of many tiles, cut from one image and assembled by the muxer.
private struct Tiling {
    var columns = 3
    var rows = 2
    let side = 64
    /// The canvas ends inside the tiles of the last row and column.
    var size = PixelSize(width: 180, height: 116)
    var turns = 0
    var mirror: Int?
    var hasAlpha = false

    var picture: PixelBuffer {
        Sample.waves(columns * side, rows * side, hasAlpha: hasAlpha)
    }

    private func tile(_ index: Int) -> PixelBuffer {
        let whole = picture
        var part = PixelBuffer(size: PixelSize(width: side, height: side))
        let (left, top) = (index % columns * side, index / columns * side)
        let from = whole.pixels
        var to = part.mutablePixels
        for offset in 0..<side * side * 4 {
            let (x, y) = (offset / 4 % side + left, offset / 4 / side + top)
            to[offset] = from[(y * whole.width + x) * 4 + offset % 4]
        }
        part.isOpaque = !hasAlpha
        return part
    }

    /// Returns a file whose tiles `code` encodes: first the colours, then the alpha.
    func file(
        brand: String, _ code: (borrowing PixelBuffer) throws -> [UInt8],
        _ more: (inout HEIFMuxer) -> Void = { _ in }
    ) throws -> [UInt8] {
        var muxer = HEIFMuxer()
        let moves = HEIFMuxer.moves(turns: turns, mirror: mirror)
        let grid = muxer.addGrid(
            columns: columns, rows: rows, width: size.width, height: size.height, moves)
        let coded = try (0..<columns * rows).map { index in
            let whole = tile(index)
            return HEIFMuxer.pieces(of: try code(whole))
        }
        muxer.link("dimg", from: grid, to: coded.map { muxer.add($0[0]) })
        if hasAlpha {
            // The alpha grid has no properties that rotate or mirror it, unlike the grid of the
            // colours.
            let alpha = muxer.addGrid(
                columns: columns, rows: rows, width: size.width, height: size.height,
                [HEIFMuxer.role(HEIFMuxer.alpha)], isHidden: true)
            muxer.link("dimg", from: alpha, to: coded.map { muxer.add($0[1]) })
            muxer.link("auxl", from: alpha, to: [grid])
        }
        more(&muxer)
        return muxer.bytes(brand: brand)
    }

    /// Returns the mean distance of a decoded image from the expected one.
    func error(of decoded: borrowing PixelBuffer) -> Double {
        let whole = picture
        let orientation = Self.orientations[turns + (mirror.map { 4 + $0 * 4 } ?? 0)]
        let upright = orientation.upright(size)
        guard decoded.size == upright else { return .infinity }
        var sum = 0
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let stored = orientation.stored(
                    PixelRect(x: x, y: y, width: 1, height: 1), of: upright)
                let (found, wanted) = (pixel(decoded, x, y), pixel(whole, stored.x, stored.y))
                for channel in 0..<4 { sum += abs(Int(found[channel]) - Int(wanted[channel])) }
            }
        }
        return Double(sum) / Double(upright.area * 4)
    }

    /// Anticlockwise quarter turns, then the same after a vertical mirror, then after a horizontal
    /// one.
    private static let orientations: [Orientation] = [
        .up, .left, .down, .right, .downMirrored, .leftMirrored, .upMirrored, .rightMirrored,
        .upMirrored, .rightMirrored, .downMirrored, .leftMirrored,
    ]
}

private func avif(_ picture: borrowing PixelBuffer) throws -> [UInt8] {
    try ImageEncoder.encode(picture, EncodeSettings(format: .avif, quality: .lossless))
}

/// Encodes a tile with Debian's HEIC encoder.
private func heic(_ picture: borrowing PixelBuffer) throws -> [UInt8] {
    let folder = try ScratchFolder()
    let png = try folder.write(
        ImageEncoder.encode(picture, EncodeSettings(format: .png)), to: "tile.png")
    let ending = try Tool.run(
        "/usr/bin/heif-enc", ["-q", "90", "-p", "chroma=444", "-o", folder.path("tile.heic"), png])
    #expect(ending.status == 0, "\(ending.errors)")
    return TestFile.read(folder.path("tile.heic"))
}

@Suite("Tiled AVIF and HEIC")
struct HEIFGridTests {
    @Test("HEIF tiles are composed, turned and mirrored, with and without alpha")
    func everyTurn() throws {
        for hasAlpha in [false, true] {
            for turns in 0...3 {
                for mirror in [nil, 0, 1] {
                    let tiling = Tiling(turns: turns, mirror: mirror, hasAlpha: hasAlpha)
                    let bytes = try tiling.file(brand: "avif", avif)
                    let header = try readHeader(bytes)
                    #expect(header.format == .avif && header.hasAlpha == hasAlpha)
                    let decoded = try decode(bytes)
                    #expect(header.size == decoded.size)
                    let error = tiling.error(of: decoded)
                    #expect(error < 0.6, "turned \(turns), mirrored \(String(describing: mirror))")
                }
            }
        }
    }

    @Test("a HEIF grid can have the largest allowed size, and its data can be in mdat")
    func edges() throws {
        let tiling = Tiling(columns: 2, rows: 1, size: PixelSize(width: 128, height: 64))
        let bytes = try tiling.file(brand: "avif", avif) { $0.keepsGridsInside = false }
        let limits = DecodeLimits(pixels: 128 * 64, edge: 128)
        let decoded = try decode(bytes, DecodeRequest(limits: limits))
        let error = tiling.error(of: decoded)
        #expect(error < 0.01)
        let less = DecodeRequest(limits: DecodeLimits(pixels: 128 * 64 - 1))
        #expect(Outcome(bytes, less).error == .limitPixels)
    }

    @Test("a phone's HEIC with thumbnail, alpha and a hidden gain map is decoded")
    func phone() throws {
        let tiling = Tiling(turns: 3, hasAlpha: true)
        let bytes = try tiling.file(brand: "heic", heic) { muxer in
            let small = HEIFMuxer.pieces(of: HEIFSample.heicTurned)[0]
            var thumbnail = small
            // Cameras list the turn before the decoder configuration.
            thumbnail.properties = HEIFMuxer.moves(turns: 1, mirror: 0) + small.properties
            muxer.link("thmb", from: muxer.add(thumbnail), to: [1])
            var gain = small
            gain.properties.append(HEIFMuxer.role(HEIFMuxer.gainMap))
            muxer.link("auxl", from: muxer.add(gain), to: [1])
        }
        let decoded = try decode(bytes)
        let error = tiling.error(of: decoded)
        #expect(error < 4)
        let damaged = Array(bytes.dropLast(bytes.count / 3))
        #expect(Outcome(damaged).error == .truncated)
    }

    @Test("HEIF metadata, thumbnail and gain map may refer to two images, as in iOS 18")
    func sharedReferences() throws {
        let tiling = Tiling()
        let small = HEIFMuxer.pieces(of: try avif(Sample.waves(64, 64)))[0]
        func file(targets: Int, alpha: Bool = false) throws -> [UInt8] {
            try tiling.file(brand: "avif", avif) { muxer in
                var gain = small
                gain.properties.append(HEIFMuxer.role(alpha ? HEIFMuxer.alpha : HEIFMuxer.gainMap))
                let gainMap = muxer.add(gain)
                let toneMapped = muxer.add("tmap", [0, 0, 0, 0], [HEIFMuxer.size(180, 116)])
                muxer.link("dimg", from: toneMapped, to: [1, gainMap])
                let to = Array([1, toneMapped].prefix(targets))
                muxer.link("auxl", from: gainMap, to: to)
                muxer.link("thmb", from: muxer.add(small), to: to)
                let metadata = muxer.add("Exif", [0, 0, 0, 0, 77, 77, 0, 42], [])
                muxer.link("cdsc", from: metadata, to: to)
            }
        }
        let shared = try decode(try file(targets: 2))
        let error = tiling.error(of: shared)
        #expect(error < 0.01)
        let single = try decode(try file(targets: 1))
        #expect(distance(single, shared) == 0)
        #expect(Outcome(try file(targets: 2, alpha: true)).error?.isUnsupported == true)
    }

    @Test("libheif's own tool gives the same pixels for a tiled HEIC")
    func sameAsLibrary() throws {
        let tiling = Tiling()
        let bytes = try tiling.file(brand: "heic", heic)
        let folder = try ScratchFolder()
        let file = try folder.write(bytes, to: "grid.heic")
        let ending = try Tool.run("/usr/bin/heif-convert", [file, folder.path("grid.png")])
        #expect(ending.status == 0, "\(ending.errors)")
        let theirs = try decode(TestFile.read(folder.path("grid.png")))
        let ours = try decode(bytes)
        let error = distance(ours, theirs)
        #expect(error == 0)
    }

    @Test("a HEIF grid over the limits is refused before libheif parses it")
    func bombs() throws {
        let piece = HEIFMuxer.pieces(of: HEIFSample.heicTurned)[0]
        func file(_ width: Int, _ height: Int, columns: Int = 1, rows: Int = 1, tiles: Int)
            -> [UInt8]
        {
            var muxer = HEIFMuxer()
            let grid = muxer.addGrid(columns: columns, rows: rows, width: width, height: height)
            let tile = muxer.add(piece)
            muxer.link("dimg", from: grid, to: [Int](repeating: tile, count: tiles))
            return muxer.bytes()
        }
        #expect(Outcome(file(64, 64, tiles: 1)).error == nil)
        #expect(Outcome(file(60_000, 60_000, tiles: 1)).error == .limitPixels)
        #expect(Outcome(file(1 << 20, 1 << 20, tiles: 1)).error == .limitPixels)
        #expect(Outcome(file(64, 64, tiles: 2)).error?.isCorrupt == true)
        // About 65,000 tiles of 4,096 pixels for a canvas of one tile.
        let many = file(64, 64, columns: 255, rows: 255, tiles: 255 * 255)
        #expect(Outcome(many).error == .limitPixels)
        // The canvas size in the item's bytes counts, not the one in the property.
        var lying = file(64, 64, tiles: 1)
        let head: [UInt8] = [0, 0, 0, 0, 0, 64, 0, 64]
        let offset = try #require(
            lying.indices.last { $0 + 8 <= lying.count && Array(lying[$0..<$0 + 8]) == head })
        lying.replaceSubrange(offset + 4..<offset + 8, with: [255, 255, 255, 255])
        #expect(Outcome(lying).error == .limitPixels)
    }

    @Test("a HEIF grid that contains itself is refused")
    func cycles() {
        var muxer = HEIFMuxer()
        let grid = muxer.addGrid(columns: 1, rows: 1, width: 64, height: 64)
        muxer.link("dimg", from: grid, to: [grid])
        #expect(Outcome(muxer.bytes()).error?.isUnsupported == true)
        var missing = HEIFMuxer()
        let empty = missing.addGrid(columns: 1, rows: 1, width: 64, height: 64)
        missing.link("dimg", from: empty, to: [9])
        #expect(Outcome(missing.bytes()).error?.isCorrupt == true)
    }

    @Test("a HEIF grid with missing tiles, or tiles of two sizes, is corrupt")
    func uncovered() throws {
        let whole = HEIFMuxer.pieces(of: try avif(Sample.waves(64, 64)))[0]
        let half = HEIFMuxer.pieces(of: try avif(Sample.waves(32, 64)))[0]
        func error(_ width: Int, _ height: Int, _ tiles: [HEIFMuxer.Piece]) -> DecodeError? {
            var muxer = HEIFMuxer()
            let grid = muxer.addGrid(
                columns: tiles.count, rows: 1, width: width, height: height)
            muxer.link("dimg", from: grid, to: tiles.map { muxer.add($0) })
            return Outcome(muxer.bytes(brand: "avif")).error
        }
        #expect(error(128, 64, [whole, whole]) == nil)
        #expect(error(129, 64, [whole, whole])?.isCorrupt == true)
        #expect(error(128, 65, [whole, whole])?.isCorrupt == true)
        #expect(error(96, 64, [whole, half])?.isCorrupt == true)
    }

    @Test("the memory cost of HEIF grows with the grid, alpha and depth")
    func memory() throws {
        func cost(_ tiling: Tiling) throws -> Int {
            let header = try readHeader(try tiling.file(brand: "avif", avif))
            return ImageDecoder.memoryCost(of: header, request: DecodeRequest())
        }
        let canvas = Tiling().size.area
        let plain = try cost(Tiling())
        #expect(plain >= canvas * 8 + 64 * 64 * 6)
        #expect(try cost(Tiling(hasAlpha: true)) >= plain + canvas * 2)
    }

    @Test("a 48 megapixel photo of a phone needs less than the 448 MB of a batch")
    func largePhoto() throws {
        var muxer = HEIFMuxer()
        var tile = HEIFMuxer.pieces(of: try avif(Sample.waves(64, 64)))[0]
        let size = HEIFMuxer.size(1024, 1024)
        tile.properties.removeAll { $0[4..<8] == size[4..<8] }
        tile.properties.append(size)
        let grid = muxer.addGrid(columns: 8, rows: 6, width: 8064, height: 6048)
        let shared = muxer.add(tile)
        muxer.link("dimg", from: grid, to: [Int](repeating: shared, count: 48))
        let header = try readHeader(muxer.bytes(brand: "avif"))
        let cost = ImageDecoder.memoryCost(of: header, request: DecodeRequest())
        #expect(cost > 8064 * 6048 * 8 && cost < 448 << 20)
    }

    @Test("HEIF alpha is kept if only the colours are cropped")
    func cropped() throws {
        let pieces = HEIFMuxer.pieces(of: try avif(Sample.waves(64, 64, hasAlpha: true)))
        var muxer = HEIFMuxer()
        var colors = pieces[0]
        func fraction(_ value: Int) -> [UInt8] { HEIFMuxer.four(value) + HEIFMuxer.four(2) }
        // 40 x 30 pixels whose centre is 4 to the right of the image's centre and 7 above it.
        let crop = fraction(80) + fraction(60) + fraction(8) + fraction(-14)
        colors.properties.append(HEIFMuxer.box("clap", crop))
        let shown = muxer.add(colors, isHidden: false)
        muxer.link("auxl", from: muxer.add(pieces[1]), to: [shown])
        let decoded = try decode(muxer.bytes(brand: "avif"))
        let whole = Sample.waves(64, 64, hasAlpha: true)
        #expect(decoded.size == PixelSize(width: 40, height: 30))
        for (x, y) in [(0, 0), (39, 0), (0, 29), (39, 29), (20, 15)] {
            let (found, wanted) = (pixel(decoded, x, y), pixel(whole, x + 16, y + 10))
            #expect(zip(found, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(x) \(y)")
        }
    }
}
