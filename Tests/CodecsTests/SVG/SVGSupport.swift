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
