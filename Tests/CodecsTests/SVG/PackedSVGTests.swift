import Codecs
import Raster
import Testing

@Suite("SVG in gzip")
struct PackedSVGTests {
    /// Writes gzip with stored blocks only, which needs no compressor.
    static func pack(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var start = 0
        repeat {
            let end = min(start + 65535, bytes.count)
            let count = end - start
            packed.append(end == bytes.count ? 1 : 0)
            packed += [UInt8(count & 255), UInt8(count >> 8)]
            packed += [UInt8(~count & 255), UInt8((~count >> 8) & 255)]
            packed += bytes[start..<end]
            start = end
        } while start < bytes.count
        for word in [crc(bytes), UInt32(truncatingIfNeeded: bytes.count)] {
            for shift in [0, 8, 16, 24] { packed.append(UInt8(word >> UInt32(shift) & 255)) }
        }
        return packed
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }

    private let plain = svg("viewBox='0 0 9 9'", "<path d='M0 0h9v9H0z' fill='#00f'/>")

    @Test("a gzipped SVG is drawn like the plain one")
    func packed() throws {
        let size = PixelSize(width: 20, height: 20)
        #expect(
            try drawing(Self.pack(plain), at: size).bytes() == drawing(plain, at: size).bytes())
    }

    @Test("an SVG gzipped twice is unsupported")
    func double() {
        #expect(refusal(Self.pack(Self.pack(plain))) == .unsupported("gzip inside gzip"))
    }

    @Test("a truncated or damaged gzip stream of an SVG is corrupt")
    func cut() {
        let packed = Self.pack(plain)
        var damaged = packed
        damaged[packed.count - 6] ^= 1
        for bytes in [
            Array(packed.dropLast()), Array(packed.prefix(40)), damaged, [0x1F, 0x8B, 8],
        ] {
            #expect(refusal(bytes) == .corrupt("the gzip data is incomplete or damaged"))
        }
    }

    @Test("the SVG limit applies to the inflated bytes, for any length that the stream claims")
    func limit() {
        let long = svg("viewBox='0 0 9 9'", String(repeating: " ", count: 100_000))
        var limits = DecodeLimits()
        limits.svgBytes = 50_000
        var lying = Self.pack(long)
        lying[lying.count - 1] = 0
        lying[lying.count - 2] = 0
        for bytes in [Self.pack(long), lying] {
            guard case .unsupported = refusal(bytes, limits: limits) else {
                Issue.record("\(String(describing: refusal(bytes, limits: limits)))")
                return
            }
        }
        #expect(refusal(Self.pack(long)) == nil)
    }

    @Test("the decoder tells a gzipped SVG from other gzipped data")
    func door() throws {
        func outcome(_ bytes: [UInt8]) -> DecodeError? {
            do throws(DecodeError) {
                let header = try ImageDecoder.header(of: bytes.span)
                let picture = try ImageDecoder.decode(
                    bytes.span, header: header, request: DecodeRequest())
                guard case .vector = picture else { return .notImage }
                return nil
            } catch {
                return error
            }
        }
        let packed = Self.pack(plain)
        #expect(outcome(plain) == nil)
        #expect(outcome(packed) == nil)
        #expect(
            outcome(Array(packed.dropLast(3))) == .corrupt("the gzip data is incomplete or damaged")
        )
        for other in [Self.pack(packed), Self.pack(Array("a,b\n1,2\n".utf8))] {
            guard case .unsupported = outcome(other) else {
                Issue.record("\(String(describing: outcome(other)))")
                return
            }
        }
        let page = Array("<!DOCTYPE html><html><body>".utf8) + plain
        #expect(outcome(page) == .notImage)
        #expect(outcome(Array(plain.dropLast(2))) == .truncated)
    }
}
