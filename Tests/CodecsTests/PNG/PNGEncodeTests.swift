import Codecs
import Raster
import Support
import System
import Testing

@Suite struct PNGEncodeTests {
    static func emblem(_ kind: Int, _ side: Int) -> PixelBuffer {
        var picture = PixelBuffer(size: PixelSize(width: side, height: side))
        TestEmblem.draw(kind, on: &picture)
        return picture
    }

    /// Returns random premultiplied pixels of `colors` different colours.
    static func noise(
        _ width: Int, _ height: Int, colors: Int, grey: Bool, opaque: Bool, seed: UInt64
    ) -> PixelBuffer {
        var dice = SeededRandom(seed: seed)
        let palette = (0..<colors).map { _ -> [UInt8] in
            let alpha = opaque ? 255 : Int(dice.next() % 256)
            let color = dice.bytes(3).map { UInt8((Int($0) * alpha + 127) / 255) }
            return (grey ? [color[0], color[0], color[0]] : color) + [UInt8(alpha)]
        }
        var picture = PixelBuffer(size: PixelSize(width: width, height: height))
        var pixels = picture.mutablePixels
        for index in 0..<width * height {
            let color = palette[Int(dice.next() % UInt64(colors))]
            for channel in 0..<4 { pixels[index * 4 + channel] = color[channel] }
        }
        return picture
    }

    /// Encodes, decodes with both readers, and returns the file.
    private static func roundTrip(_ picture: borrowing PixelBuffer) throws -> [UInt8] {
        let file = try PNGEncoder.encode(picture, palette: false)
        let pixels = picture.pixels.copied()
        #expect(Outcome(file).rgba == pixels)
        let reference = try #require(PNGReference.decode(file))
        #expect(PNGReference.premultiplied(reference) == pixels)
        let names = PNGReference.chunks(of: file).map(\.0)
        #expect(Set(names).isSubset(of: ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]))
        #expect(names.first == "IHDR" && names.last == "IEND")
        return file
    }

    @Test(
        "a written PNG reads back the same for any content",
        arguments: [1, 2, 3, 4, 5, 16, 17, 255, 256, 257, 3000], [false, true])
    func noise(colors: Int, grey: Bool) throws {
        for (side, opaque) in [
            (1, true), (1, false), (7, true), (65, false), (120, true), (90, false),
        ] {
            let picture = Self.noise(
                side, side + side % 3, colors: colors, grey: grey, opaque: opaque,
                seed: UInt64(colors + side))
            _ = try Self.roundTrip(picture)
        }
    }

    @Test("every premultiplied value survives division and multiplication")
    func exactDivision() throws {
        var picture = PixelBuffer(size: PixelSize(width: 256, height: 256))
        var pixels = picture.mutablePixels
        for alpha in 0..<256 {
            for value in 0..<256 {
                let offset = (alpha * 256 + value) * 4
                pixels[offset] = UInt8(min(value, alpha))
                pixels[offset + 1] = UInt8(max(0, alpha - value))
                pixels[offset + 2] = UInt8(alpha / 2)
                pixels[offset + 3] = UInt8(alpha)
            }
        }
        let file = try Self.roundTrip(picture)
        let straight = try #require(PNGReference.decode(file))
        for alpha in 1..<256 {
            for value in 0...alpha {
                let offset = (alpha * 256 + value) * 4
                #expect(Int(straight[offset]) == (value * 510 + alpha) / (alpha * 2))
            }
        }
    }

    @Test("the colour type of a written PNG follows its content")
    func colorTypes() throws {
        func type(colors: Int, grey: Bool, opaque: Bool) throws -> UInt8 {
            let picture = Self.noise(
                100, 100, colors: colors, grey: grey, opaque: opaque, seed: 1)
            return try PNGEncoder.encode(picture, palette: false)[25]
        }
        #expect(try type(colors: 5000, grey: false, opaque: true) == 2)
        #expect(try type(colors: 5000, grey: false, opaque: false) == 6)
        #expect(try type(colors: 5000, grey: true, opaque: false) == 4)
        #expect(try type(colors: 256, grey: true, opaque: true) == 0)
        #expect(try type(colors: 9, grey: false, opaque: false) == 3)
    }

    @Test(
        "written PNG files are smaller than libpng's in total, and none is much larger",
        arguments: [40, 48, 96, 128, 240])
    func sizes(side: Int) throws {
        var ours = 0
        var theirs = 0
        for kind in 0..<TestEmblem.kinds {
            let file = try Self.roundTrip(Self.emblem(kind, side))
            let straight = try #require(PNGReference.decode(file))
            let size = try #require(
                PNGReference.encodedSize(straight: straight, width: side, height: side))
            #expect(file.count * 10 <= size * 11, "kind \(kind): \(file.count), libpng \(size)")
            ours += file.count
            theirs += size
        }
        #expect(ours < theirs)
    }

    @Test(
        "a PNG palette has at most 256 colours and stays close to the picture",
        arguments: 0..<TestEmblem.kinds)
    func palettes(kind: Int) throws {
        let picture = Self.emblem(kind, 120)
        let file = try PNGEncoder.encode(picture, palette: true)
        #expect(try PNGEncoder.encode(picture, palette: true) == file)
        let before = picture.pixels.copied()
        let after = Outcome(file).rgba
        #expect(after.count == before.count)
        var colors: Set<[UInt8]> = []
        var error = 0
        for offset in stride(from: 0, to: before.count, by: 4) {
            colors.insert(Array(after[offset..<offset + 4]))
            #expect((before[offset + 3] == 0) == (after[offset + 3] == 0))
            #expect((before[offset + 3] == 255) == (after[offset + 3] == 255))
            for channel in offset..<offset + 4 {
                let difference = Int(before[channel]) - Int(after[channel])
                error += difference * difference
            }
        }
        #expect(colors.count <= 256)
        // 34 dB for the noisy image, far more for the others.
        #expect(error * 40 < before.count * 1000, "mean \(Double(error) / Double(before.count))")
    }

    @Test("photographic noise is reduced to a PNG palette")
    func noisyPalette() throws {
        let picture = Self.noise(
            300, 300, colors: 60_000, grey: false, opaque: false, seed: 9)
        let file = try PNGEncoder.encode(picture, palette: true)
        #expect(file[25] == 3)
        #expect(file.count < 300 * 300 + 3000)
        let lossless = try PNGEncoder.encode(
            Self.noise(30, 30, colors: 200, grey: false, opaque: false, seed: 9), palette: true)
        #expect(
            Outcome(lossless).rgba
                == Self.noise(30, 30, colors: 200, grey: false, opaque: false, seed: 9)
                .pixels.copied())
    }

    @Test("twelve million opaque pixels are reduced to a PNG palette")
    func largePalette() throws {
        let picture = Self.noise(
            4_000, 3_000, colors: 300, grey: false, opaque: true, seed: 11)
        let file = try PNGEncoder.encode(picture, palette: true)
        #expect(file[25] == 3)
    }
}
