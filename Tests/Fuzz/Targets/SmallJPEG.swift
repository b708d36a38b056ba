import Codecs
import Raster

/// Compares our scaled JPEG decoder with libjpeg: the same verdict at every size, and the same
/// pixels if both use DC coefficients only.
enum SmallJPEG {
    static func compare(_ bytes: [UInt8], into digest: inout OutcomeDigest) {
        let limits = PictureFeed.limits
        do throws(DecodeError) {
            let header = try JPEGDecoder.header(of: bytes.span, limits: limits)
            var verdicts: Set<String> = []
            for eighths in [1, 2, 8] {
                let (own, verdict) = read(bytes, header, eighths, .fast)
                let (other, otherVerdict) = read(bytes, header, eighths, .system)
                verdicts.formUnion([verdict, otherVerdict])
                if eighths == 1, isSampledEvenly(bytes) { compare(own, other) }
                if eighths == 8 { law(own == other, "Whole pictures differ.") }
                digest.add(verdict)
                for byte in own { digest.add(byte) }
            }
            law(verdicts.count == 1, "A verdict depends on size or codecs: \(verdicts.sorted())")
        } catch {
            digest.add(error.description)
        }
    }

    private static func read(
        _ bytes: [UInt8], _ header: ImageHeader, _ eighths: Int, _ codecs: CodecChoice
    ) -> (pixels: [UInt8], verdict: String) {
        // Half of the decoded size is needed, so that the resampler has more pixels than it needs.
        let needed = PixelSize(
            width: max(1, header.size.width * eighths / 16),
            height: max(1, header.size.height * eighths / 16))
        let request = DecodeRequest(
            limits: PictureFeed.limits, neededSize: needed, defersOrientation: true, codecs: codecs)
        do throws(DecodeError) {
            guard
                case .raster(let picture) = try ImageDecoder.decode(
                    bytes.span, header: header, request: request)
            else { return ([], "vector") }
            return (picture.pixels.copied(), "ok")
        } catch {
            switch error {
            case .notImage: return ([], "not_image")
            case .unsupported: return ([], "unsupported")
            case .truncated: return ([], "truncated")
            case .corrupt: return ([], "corrupt")
            case .limitPixels: return ([], "limit_pixels")
            case .limitDecode: return ([], "limit_decode")
            }
        }
    }

    private static func compare(_ own: [UInt8], _ other: [UInt8]) {
        law(own.count == other.count, "Pictures have other sizes.")
        let isNear = zip(own, other).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
        law(isNear, "Pixels at an eighth differ by more than one.")
    }

    /// Returns whether no component is subsampled and no profile amplifies small differences.
    private static func isSampledEvenly(_ bytes: [UInt8]) -> Bool {
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            if marker == 0xE2 { return false }
            if [0xC0, 0xC1, 0xC2].contains(marker), offset + 9 < bytes.count {
                let entries = stride(from: offset + 11, to: offset + 2 + length, by: 3)
                return Set(entries.filter { $0 < bytes.count }.map { bytes[$0] }).count == 1
            }
            offset += 2 + length
        }
        return false
    }
}
