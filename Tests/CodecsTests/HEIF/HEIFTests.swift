import Codecs
import Raster
import Support
import Testing

@Suite("AVIF and HEIC")
struct HEIFTests {
    @Test("a HEIF rotation that is stated twice is applied once")
    func turnedOnce() throws {
        for (bytes, format) in [
            (HEIFSample.avifFlipped, ImageFormat.avif), (HEIFSample.avifTurned, .avif),
            (HEIFSample.heicTurned, .heic),
        ] {
            let header = try readHeader(bytes)
            #expect(header.format == format && header.orientation == .up)
            #expect(header.size == PixelSize(width: 48, height: 32))
            let decoded = try decode(bytes)
            let isUpright = Sample.isUpright(decoded)
            #expect(isUpright)
        }
    }

    @Test(
        "a written AVIF is read back", .enabled(if: AVIFEncoder.isAvailable),
        arguments: [false, true])
    func roundTrip(hasAlpha: Bool) throws {
        let picture = Sample.waves(64, 50, hasAlpha: hasAlpha)
        let lossy = try ImageEncoder.encode(
            picture, EncodeSettings(format: .avif, quality: .lossy(90)))
        let decoded = try decode(lossy)
        let (error, isOpaque) = (distance(decoded, picture), decoded.isOpaque)
        #expect(error < 5)
        #expect(isOpaque != hasAlpha)
        let again = try ImageEncoder.encode(
            picture, EncodeSettings(format: .avif, quality: .lossy(90)))
        #expect(again == lossy)
        let exact = try ImageEncoder.encode(
            picture, EncodeSettings(format: .avif, quality: .lossless))
        let same = distance(try decode(exact), picture)
        #expect(same < (hasAlpha ? 0.6 : 0.01))
    }

    @Test("HEIF data that ends early is refused")
    func truncated() {
        for bytes in [HEIFSample.avifTurned, HEIFSample.heicTurned] {
            for percent in 4...99 {
                let cut = Array(bytes.prefix(bytes.count * percent / 100))
                let error = Outcome(cut).error
                #expect(error == .truncated, "at \(percent) %")
            }
        }
    }

    @Test(
        "bytes after the last HEIF box are ignored",
        arguments: ["\n", "\r\n", "<!-- a picture -->", "PK\u{3}\u{4}............"])
    func appended(tail: String) {
        for bytes in [HEIFSample.avifTurned, HEIFSample.heicTurned] {
            let whole = Outcome(bytes)
            #expect(whole.error == nil)
            #expect(Outcome(bytes + Array(tail.utf8)) == whole)
            for count in [1, 7, 8, 1000] {
                let zeros = [UInt8](repeating: 0, count: count)
                #expect(Outcome(bytes + zeros + Array(tail.utf8)) == whole, "\(count) zeros")
            }
        }
    }

    @Test(
        "HEIF colours that the library does not support are refused",
        arguments: [9, 14, 15, 16] as [UInt8])
    func newerColors(matrix: UInt8) throws {
        var bytes = HEIFSample.avifTurned
        let name = Array("nclx".utf8)
        let offset = try #require(
            bytes.indices.dropLast(16).first { Array(bytes[$0..<$0 + 4]) == name })
        bytes[offset + 9] = matrix
        let refusal = DecodeError.unsupported("the colour matrix \(matrix)")
        #expect(Outcome(bytes).error == (matrix < 15 ? nil : refusal))
    }

    @Test("the size property of a HEIF image may follow its rotation")
    func sizeAfterTurn() throws {
        let picture = Sample.waves(64, 40)
        let avif = try ImageEncoder.encode(
            picture, EncodeSettings(format: .avif, quality: .lossless))
        for isFirst in [true, false] {
            var piece = HEIFMuxer.pieces(of: avif)[0]
            let turn = HEIFMuxer.moves(turns: 1, mirror: nil)
            piece.properties = isFirst ? turn + piece.properties : piece.properties + turn
            var muxer = HEIFMuxer()
            _ = muxer.add(piece, isHidden: false)
            let bytes = muxer.bytes(brand: "avif")
            let size = try readHeader(bytes).size
            #expect(size == PixelSize(width: 40, height: 64))
            let decoded = try decode(bytes)
            let (found, wanted) = (pixel(decoded, 0, 63), pixel(picture, 0, 0))
            #expect(decoded.size == size && found == wanted)
        }
    }

    @Test("grey and alpha of AVIF in limited range are expanded", arguments: ["8", "10"])
    func limitedRange(depth: String) throws {
        let folder = try ScratchFolder()
        var ramp = PixelBuffer(size: PixelSize(width: 64, height: 64))
        var pixels = ramp.mutablePixels
        for index in 0..<64 * 64 {
            for channel in 0..<3 { pixels[index * 4 + channel] = UInt8(index % 64 * 4) }
            pixels[index * 4 + 3] = 255
        }
        ramp.isOpaque = true
        let png = try folder.write(
            ImageEncoder.encode(ramp, EncodeSettings(format: .png)), to: "ramp.png")
        for range in ["limited", "full"] {
            let ending = try Tool.run(
                "/usr/bin/avifenc",
                [
                    "--min", "0", "--max", "0", "-s", "9", "-d", depth, "-y", "400", "-r", range,
                    png, folder.path("ramp.avif"),
                ])
            #expect(ending.status == 0, "\(ending.errors)")
            let file = TestFile.read(folder.path("ramp.avif"))
            let grey = try decode(file)
            let avif = try ImageEncoder.encode(
                ramp, EncodeSettings(format: .avif, quality: .lossless))
            var muxer = HEIFMuxer()
            let shown = muxer.add(HEIFMuxer.pieces(of: avif)[0], isHidden: false)
            var alpha = HEIFMuxer.pieces(of: file)[0]
            alpha.properties.append(HEIFMuxer.role(HEIFMuxer.alpha))
            muxer.link("auxl", from: muxer.add(alpha), to: [shown])
            let masked = try decode(muxer.bytes(brand: "avif"))
            for x in 0..<64 {
                let found = (Int(pixel(grey, x, 32)[0]), Int(pixel(masked, x, 32)[3]))
                #expect(abs(found.0 - x * 4) <= 2, "grey \(range) \(x)")
                #expect(abs(found.1 - x * 4) <= 2, "alpha \(range) \(x)")
            }
        }
    }

    @Test("the length of the last HEIF box may be open")
    func openLength() throws {
        for bytes in [HEIFSample.avifTurned, HEIFSample.heicTurned] {
            var (last, offset) = (0, 0)
            while offset + 8 <= bytes.count {
                last = offset
                offset += bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            }
            var open = bytes
            open.replaceSubrange(last..<last + 4, with: be32(0))
            #expect(Outcome(open) == Outcome(bytes))
        }
    }

    @Test("a HEIF image sequence without a still image is unsupported")
    func sequence() {
        let head = be32(16) + Array("ftypavis".utf8) + be32(0)
        let movie = be32(16) + Array("moov".utf8) + be32(8) + Array("mvhd".utf8)
        #expect(Outcome(head + movie).error?.isUnsupported == true)
        #expect(Outcome(head).error == .truncated)
    }

    @Test("a HEIF with a declared size over the limit is refused before libheif parses it")
    func limits() throws {
        for sample in [HEIFSample.avifTurned, HEIFSample.heicTurned] {
            var bytes = sample
            let name = Array("ispe".utf8)
            let offset = try #require(
                bytes.indices.dropLast(16).first { Array(bytes[$0..<$0 + 4]) == name })
            bytes.replaceSubrange(offset + 8..<offset + 16, with: be32(17_000) + be32(17_000))
            #expect(Outcome(bytes).error == .limitPixels)
        }
        let tiny = DecodeLimits(pixels: 100)
        #expect(Outcome(HEIFSample.avifTurned, DecodeRequest(limits: tiny)).error == .limitPixels)
    }

    @Test("HEIF boxes of impossible length end without a crash")
    func boxes() {
        let head = be32(16) + Array("ftypavif".utf8) + be32(0)
        #expect(Outcome(head).error != nil)
        #expect(Outcome(head + be32(4) + Array("meta".utf8)).error?.isCorrupt == true)
        #expect(Outcome(head + be32(1) + Array("meta".utf8)).error == .truncated)
        let nested = be32(12) + Array("meta".utf8) + be32(0)
        #expect(Outcome(head + nested).error != nil)
        let inside =
            be32(24) + Array("meta".utf8) + be32(0) + be32(90) + Array("iprp".utf8) + be32(0)
        #expect(Outcome(head + inside + [UInt8](repeating: 0, count: 99)).error?.isCorrupt == true)
    }
}
