import CLibWebP
import Codecs
import Raster
import Support
import System
import Testing

@Suite("Damaged files")
struct DamageTests {
    static let samples: [(String, [UInt8])] = {
        let others = [
            "gif/damage", "bmp/24-bits", "ico/bitmap", "heif/turned-avif", "heif/turned-heic",
            "png/rgb-8", "png/rgba-8-interlaced",
        ]
        return PictureFile.all.filter { $0.folder == "damage" || others.contains($0.name) }
            .map { ($0.name, $0.bytes) }
    }()

    private static func flipped(_ whole: [UInt8], _ dice: inout SeededRandom) -> [UInt8] {
        var bytes = whole
        for _ in 0...dice.below(3) {
            bytes[dice.below(bytes.count)] ^= 1 << UInt8(dice.below(8))
        }
        return bytes
    }

    @Test(
        "a picture with flipped bits gives the same picture or error each time",
        arguments: samples.indices)
    func flips(index: Int) {
        let (name, whole) = Self.samples[index]
        let sound = Outcome(whole)
        var dice = SeededRandom(seed: UInt64(index))
        var (shown, refused) = (0, 0)
        for round in 0..<150 {
            let bytes = Self.flipped(whole, &dice)
            let words = "\(name), seed \(index), round \(round)"
            let first = Outcome(bytes)
            #expect(Outcome(bytes) == first, "\(words)")
            if first.error == nil { shown += 1 } else { refused += 1 }
            // Checksums cover everything in these files.
            if name.hasPrefix("png/") {
                #expect(first == sound || first.error != nil, "\(words)")
            }
        }
        #expect(sound.error == nil && refused > 5, "\(name): \(refused)")
        #expect(shown > 0 || name.hasPrefix("png/"), "\(name): \(shown)")
    }

    @Test(
        "a damaged WebP gives the same pixels as libwebp",
        arguments: ["damage/lossless-webp", "damage/lossy-webp"])
    func webp(name: String) throws {
        let whole = try PictureFile.bytes(name)
        var dice = SeededRandom(seed: TestSeed.value)
        var (compared, forgiven) = (0, 0)
        for _ in 0..<300 {
            var bytes = Self.flipped(whole, &dice)
            // Our decoder accepts a wrong file length; libwebp does not.
            bytes.replaceSubrange(4..<8, with: whole[4..<8])
            guard Outcome(bytes).error == nil else { continue }
            let found = try decode(bytes)
            let pixels = found.pixels
            // Our decoder accepts unknown chunk names; libwebp does not.
            guard let (theirs, size) = Self.straightPixels(byLibwebp: bytes) else {
                forgiven += 1
                continue
            }
            #expect(found.size == size, "\(TestSeed.words)")
            var farthest = 0
            for index in 0..<min(theirs.count, pixels.count) {
                let alpha = Int(theirs[index | 3])
                let wanted = index % 4 == 3 ? alpha : (Int(theirs[index]) * alpha + 127) / 255
                farthest = max(farthest, abs(Int(pixels[index]) - wanted))
            }
            #expect(farthest <= 1, "\(TestSeed.words)")
            compared += 1
        }
        #expect(compared > 20 && forgiven * 8 < compared, "\(forgiven) \(TestSeed.words)")
    }

    /// Returns straight RGBA from libwebp; nil if libwebp rejects the file.
    private static func straightPixels(
        byLibwebp bytes: [UInt8]
    ) -> (pixels: [UInt8], size: PixelSize)? {
        var (width, height) = (Int32(0), Int32(0))
        guard let start = unsafe WebPDecodeRGBA(bytes, bytes.count, &width, &height) else {
            return nil
        }
        defer { unsafe WebPFree(start) }
        let size = PixelSize(width: Int(width), height: Int(height))
        return (unsafe Array(UnsafeBufferPointer(start: start, count: size.byteCount)), size)
    }

    @Test(
        "a damaged JPEG gives the same pixels as djpeg, or both refuse it",
        arguments: samples.map(\.0).filter { $0.contains("jpeg") || $0.contains("arithmetic") })
    func jpeg(name: String) throws {
        let whole = try PictureFile.bytes(name)
        let folder = try ScratchFolder()
        var dice = SeededRandom(seed: TestSeed.value)
        var (shown, refused) = (0, 0)
        for _ in 0..<40 {
            let bytes = Self.flipped(whole, &dice)
            try folder.write(bytes, to: "in.jpg")
            try folder.write("", to: "o")
            let run = try Tool.run(
                "/usr/bin/djpeg", ["-rgb", "-outfile", "o", "in.jpg"], in: folder.path)
            let ours = Outcome(bytes)
            // The status is 2 for warnings about faults that both decoders accept.
            switch run.status {
            case 0: #expect(ours.error == nil, "\(TestSeed.words) \(ours)")
            case 1:
                // djpeg reads past the last row; our decoder does not.
                if ours.error == nil {
                    let rows = try decode(bytes).size.area * 3
                    #expect(try folder.read("o").count > rows, "\(TestSeed.words) \(run.errors)")
                }
            default: #expect(run.status == 2, "\(TestSeed.words) \(run.errors)")
            }
            guard ours.error == nil, run.status == 0 else {
                refused += 1
                continue
            }
            let found = try decode(bytes, DecodeRequest(defersOrientation: true))
            let ppm = try folder.read("o")
            let theirs = Array(ppm.suffix(found.size.area * 3))
            #expect(ppm.starts(with: "P6\n\(found.width) \(found.height)\n255\n".utf8))
            let pixels = found.pixels
            var farthest = 0
            for index in theirs.indices {
                let mine = Int(pixels[index / 3 * 4 + index % 3])
                farthest = max(farthest, abs(mine - Int(theirs[index])))
            }
            #expect(farthest == 0, "\(TestSeed.words)")
            shown += 1
        }
        #expect(shown > 0 && refused > 0, "\(name): \(shown), \(refused), \(TestSeed.words)")
    }

    /// Requests that differ in size, codec and available memory.
    private static let requests: [DecodeRequest] = CodecChoice.allCases.flatMap { codecs in
        [4, 13, 60].flatMap { side in
            [0, 256 << 20].map { working in
                DecodeRequest(
                    neededSize: PixelSize(width: side, height: side), workingBytes: working,
                    codecs: codecs)
            }
        }
    }

    @Test("the verdict on a damaged picture depends only on its bytes", arguments: samples.indices)
    func verdicts(index: Int) {
        let (name, whole) = Self.samples[index]
        var dice = SeededRandom(seed: 77 + UInt64(index))
        for round in 0..<120 {
            var bytes = whole
            for _ in 0...dice.below(3) {
                bytes[dice.below(bytes.count)] = UInt8(dice.below(256))
            }
            if round % 3 == 0 { bytes.removeLast(dice.below(bytes.count / 2)) }
            let verdicts = Self.requests.map { request in
                Outcome(bytes, request).name
            }
            #expect(Set(verdicts).count == 1, "\(name), round \(round): \(verdicts)")
        }
    }
}
