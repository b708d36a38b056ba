import Codecs
import Raster
import Support
import System
import Testing

func svg(_ attributes: String, _ body: String = "") -> [UInt8] {
    Array("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)>\(body)</svg>".utf8)
}

func drawing(
    _ bytes: [UInt8], at size: PixelSize, visible: PixelRect? = nil
) throws -> PixelBuffer {
    try VectorPicture(svg: bytes.span, limits: DecodeLimits()).render(
        at: size, visible: visible)
}

func exactSize(_ bytes: [UInt8]) throws -> [Double] {
    let picture = try VectorPicture(svg: bytes.span, limits: DecodeLimits())
    return [picture.exactWidth, picture.exactHeight]
}

/// Returns the error of a rejected document, or nil.
func refusal(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) -> DecodeError? {
    do throws(DecodeError) {
        _ = try VectorPicture(svg: bytes.span, limits: limits)
            .render(at: PixelSize(width: 40, height: 40))
        return nil
    } catch {
        return error
    }
}

/// Returns a document with a few bytes changed after its root's tag, mostly to markup characters.
func damaged(_ good: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    let signs = Array("<>/='\"&#; :!-?[]{}()xa0\n".utf8)
    let head = 1 + (good.firstIndex(of: UInt8(ascii: ">")) ?? 0)
    var bytes = good
    for _ in 0...random.below(2) {
        let isSign = random.below(4) > 0
        bytes[head + random.below(bytes.count - head)] =
            isSign ? signs[random.below(signs.count)] : UInt8(random.below(256))
    }
    return bytes
}

/// Checks that documents accepted by expat are drawn and invalid XML is rejected.
func expectSameVerdicts(_ documents: [[UInt8]], around good: [UInt8]) throws {
    var counts: [XMLVerdict: Int] = [:]
    for (bytes, verdict) in zip(documents, try XMLVerdict.of(documents)) {
        let found = refusal(bytes)
        let words: () -> Comment = {
            "\(TestSeed.words) \(String(decoding: bytes, as: UTF8.self)): \(found.debugDescription)"
        }
        counts[verdict, default: 0] += 1
        switch verdict {
        case .svg: #expect(found == nil, words())
        case .malformed: #expect(found != nil, words())
        case .otherRoot: Issue.record(words())
        }
    }
    #expect(try XMLVerdict.of([good]) == [.svg] && refusal(good) == nil)
    #expect(counts[.svg, default: 0] > 50 && counts[.malformed, default: 0] > 50, "\(counts)")
}

extension PixelBuffer {
    func rgba(_ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * width + x) * 4
        return (0..<4).map { pixels[start + $0] }
    }

    func bytes() -> [UInt8] {
        pixels.indices.map { pixels[$0] }
    }
}

func base64(_ bytes: [UInt8]) -> String {
    let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : 0 }
        let bits = group[0] << 16 | group[1] << 8 | group[2]
        for place in 0..<4 {
            text.append(
                start + place > bytes.count
                    ? UInt8(ascii: "=") : signs[bits >> (18 - 6 * place) & 63])
        }
    }
    return String(decoding: text, as: UTF8.self)
}

func pngHeader(_ width: Int, _ height: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]
    bytes += Array("IHDR".utf8)
    for side in [width, height] {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(side >> shift & 255)) }
    }
    bytes += [8, 6, 0, 0, 0]
    var sum = UInt32.max
    for byte in bytes[12...] {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(~sum >> UInt32(shift) & 255)) }
    return bytes + [UInt8](repeating: 0, count: 64)
}
