import Codecs
import Raster
import Support
import System
import Testing

@Suite("JPEG XL")
struct JXLTests {
    /// Returns the greatest channel difference, or infinity if the sizes differ.
    private static func farthest(
        _ one: borrowing PixelBuffer, _ other: borrowing PixelBuffer
    ) -> Int {
        guard one.size == other.size else { return .max }
        let (left, right) = (one.pixels, other.pixels)
        var most = 0
        for index in 0..<left.count { most = max(most, abs(Int(left[index]) - Int(right[index]))) }
        return most
    }

    @Test(
        "a JPEG XL is decoded as by djxl, each value within one",
        arguments: JXLSample.names)
    func pixels(name: String) throws {
        let bytes = try JXLSample.file(name)
        #expect(try readHeader(bytes).format == .jxl)
        let apart = Self.farthest(try decode(bytes), try decode(JXLSample.reference(name)))
        #expect(apart <= 1)
    }

    @Test("a floating-point JPEG XL has the same pixels as its eight-bit twin")
    func float() throws {
        let apart = Self.farthest(
            try decode(JXLSample.file("float")), try decode(JXLSample.file("lossless")))
        #expect(apart <= 1)
    }

    @Test("a JPEG XL is rotated once, by the orientation in its codestream", arguments: [3, 5, 6])
    func turned(orientation: Int) throws {
        let bytes = try JXLSample.file("jpeg-turned-\(orientation)")
        let header = try readHeader(bytes)
        #expect(header.orientation.rawValue == orientation)
        #expect(header.size == PixelSize(width: 48, height: 32))
        let isUpright = Sample.isUpright(try decode(bytes))
        #expect(isUpright)
        let left = try decode(bytes, DecodeRequest(defersOrientation: true))
        let (size, turn) = (left.size, left.pendingOrientation)
        #expect(turn == header.orientation && size == header.codedSize)
    }

    @Test("the header of a JPEG XL states its contents")
    func headers() throws {
        let alpha = try readHeader(JXLSample.file("lossless-grey-alpha"))
        #expect(alpha.hasAlpha && alpha.colorModel == .grey && !alpha.isAnimated)
        #expect(try readHeader(JXLSample.file("lossless-16")).bitsPerChannel == 16)
        #expect(try readHeader(JXLSample.file("animation")).isAnimated)
        let wide = try readHeader(JXLSample.file("p3"))
        #expect(wide.hasProfile && wide.profileName != nil)
        // An XYB file is decoded to sRGB.
        #expect(try !readHeader(JXLSample.file("p3-lossy")).hasProfile)
    }

    @Test(
        "a JPEG XL is decoded to sRGB from any colour space",
        arguments: ["p3", "linear"])
    func profiles(name: String) throws {
        let found = try decode(JXLSample.file(name))
        let plain = try decode(JXLSample.file("lossless"))
        let wanted = try decode(JXLSample.reference(name))
        let apart = distance(found, wanted)
        #expect(apart < 1)
        let changed = distance(found, plain)
        #expect(changed > 2)
    }

    @Test("lossy and lossless JPEG XL in wide colour spaces look alike")
    func wideColors() throws {
        let wide = distance(
            try decode(JXLSample.file("p3-lossy")), try decode(JXLSample.file("p3")))
        #expect(wide < 4)
        let bright = distance(
            try decode(JXLSample.file("pq-lossy")), try decode(JXLSample.file("pq")))
        #expect(bright < 4)
        let header = try readHeader(JXLSample.file("pq"))
        #expect(header.hasProfile)
    }

    @Test("a lossless JPEG XL is read back exactly", arguments: [false, true])
    func lossless(hasAlpha: Bool) throws {
        for (width, height) in [(1, 1), (64, 50), (333, 7), (256, 256)] {
            let picture = Sample.waves(width, height, hasAlpha: hasAlpha)
            let bytes = try ImageEncoder.encode(
                picture, EncodeSettings(format: .jxl, quality: .lossless))
            let again = try ImageEncoder.encode(
                picture, EncodeSettings(format: .jxl, quality: .lossless))
            #expect(bytes == again)
            let found = try decode(bytes)
            let apart = Self.farthest(found, picture)
            #expect(apart == 0, "\(width) x \(height)")
            let isOpaque = found.isOpaque
            #expect(isOpaque != hasAlpha)
        }
    }

    @Test(
        "a higher JPEG XL quality needs more bytes, and the default keeps alpha nearly exact",
        arguments: [false, true])
    func lossy(hasAlpha: Bool) throws {
        let picture = Sample.waves(120, 90, hasAlpha: hasAlpha)
        var lengths: [Int] = []
        var losses: [Double] = []
        for quality in [1, 29, 85, 100] {
            let settings = EncodeSettings(format: .jxl, quality: .lossy(quality))
            let bytes = try ImageEncoder.encode(picture, settings)
            #expect(try ImageEncoder.encode(picture, settings) == bytes)
            let found = try decode(bytes)
            lengths.append(bytes.count)
            losses.append(distance(found, picture))
            let (left, right) = (found.pixels, picture.pixels)
            var apart = 0
            for index in stride(from: 3, to: left.count, by: 4) {
                apart = max(apart, abs(Int(left[index]) - Int(right[index])))
            }
            #expect(apart <= (quality >= 85 ? 1 : 4))
        }
        #expect(lengths == lengths.sorted() && losses == losses.sorted(by: >))
        #expect(try #require(losses.last) < 1.5)
    }

    @Test(
        "opaque and clear pixels of a JPEG XL keep their alpha at every quality",
        arguments: [1, 30, 60, 85, 100])
    func masks(quality: Int) throws {
        var picture = Sample.waves(96, 64)
        var pixels = picture.mutablePixels
        for index in 0..<(96 * 64) where index % 96 >= 48 { pixels[index * 4 + 3] = 0 }
        picture.isOpaque = false
        picture.premultiply()
        let found = try decode(
            ImageEncoder.encode(
                picture, EncodeSettings(format: .jxl, quality: .lossy(quality))))
        let (left, right) = (found.pixels, picture.pixels)
        var changed = 0
        for index in stride(from: 3, to: left.count, by: 4) where left[index] != right[index] {
            changed += 1
        }
        #expect(changed == 0)
    }

    @Test(
        "JPEG XL data that ends early is truncated and not damaged",
        arguments: [
            "lossy", "lossless", "alpha", "container", "jpeg", "jpeg-turned-6", "animation",
        ])
    func truncated(name: String) throws {
        let bytes = try JXLSample.file(name)
        let whole = Outcome(bytes)
        for count in 12..<bytes.count {
            let outcome = Outcome(Array(bytes[..<count]))
            // Other data may follow the last pixel: frames, or JPEG reconstruction data.
            #expect(outcome.error == .truncated || outcome == whole, "at \(count)")
        }
        #expect(Outcome(bytes + [0]) == whole)
    }

    @Test("a truncated JPEG XL is decoded as far as it goes if allowed")
    func partial() throws {
        let picture = Sample.waves(600, 300)
        let bytes = try ImageEncoder.encode(picture, EncodeSettings(format: .jxl))
        let request = DecodeRequest(allowTruncated: true)
        let half = Array(bytes[..<(bytes.count * 3 / 4)])
        #expect(Outcome(half).error == .truncated)
        let found = try decode(half, request)
        let apart = distance(found, try decode(bytes))
        #expect(apart < 40)
        #expect(Outcome(bytes, request) == Outcome(bytes))
        #expect(Outcome(Array(bytes[..<20]), request).error == .truncated)
    }

    @Test("a damaged JPEG XL gives a picture or an error at any requested size")
    func damage() throws {
        let files = try JXLSample.names.map(JXLSample.file)
        var dice = SeededRandom(seed: 7)
        var names: [String: Int] = [:]
        for round in 0..<1_500 {
            var bytes = files[dice.below(files.count)]
            for _ in 0...dice.below(3) {
                bytes[dice.below(bytes.count)] ^= 1 << UInt8(dice.below(8))
            }
            let limits = DecodeLimits(pixels: 1 << 20)
            let first = Outcome(bytes, DecodeRequest(limits: limits))
            names[first.name, default: 0] += 1
            let small = DecodeRequest(limits: limits, neededSize: PixelSize(width: 4, height: 4))
            #expect(Outcome(bytes, small) == first, "round \(round)")
        }
        #expect(names["ok", default: 0] > 50 && names["corrupt", default: 0] > 50, "\(names)")
    }

    @Test("a JPEG XL over the size limit is refused before memory is allocated")
    func bombs() throws {
        // A size of 2^30 by 2^30: no small sides, the longest numbers, no ratio.
        var bits: [Int] = [0] + [1, 1] + [Int](repeating: 1, count: 30) + [0, 0, 0]
        bits += [1, 1] + [Int](repeating: 1, count: 30)
        bits += [Int](repeating: 1, count: 60)
        var bytes: [UInt8] = [0xFF, 0x0A]
        for start in stride(from: 0, to: bits.count - 7, by: 8) {
            bytes.append((0..<8).reduce(0) { $0 | UInt8(bits[start + $1]) << UInt8($1) })
        }
        let error = Outcome(bytes + [UInt8](repeating: 0, count: 100)).error
        #expect(error == .limitPixels || error?.isCorrupt == true)
        let tiny = DecodeLimits(pixels: 1_000)
        let lossy = try JXLSample.file("lossy")
        #expect(Outcome(lossy, DecodeRequest(limits: tiny)).error == .limitPixels)
        let flat = DecodeLimits(edge: 40)
        #expect(Outcome(lossy, DecodeRequest(limits: flat)).error == .limitPixels)
    }

    @Test("the memory cost of a JPEG XL is known from its header and grows with size and channels")
    func cost() throws {
        func cost(_ name: String) throws -> Int {
            ImageDecoder.memoryCost(
                of: try readHeader(JXLSample.file(name)), request: DecodeRequest())
        }
        #expect(try cost("alpha") > cost("lossy"))
        #expect(try cost("groups") > cost("lossy"))
        #expect(try cost("groups") >= 600 * 300 * 40)
    }
}
