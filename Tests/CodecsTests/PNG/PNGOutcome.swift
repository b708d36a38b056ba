import Codecs
import Raster

/// The result of decoding a PNG, in a form that can be compared and printed.
enum PNGOutcome: Hashable {
    case pixels(width: Int, height: Int, [UInt8], isOpaque: Bool)
    case failure(DecodeError)

    init(_ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest()) {
        do throws(DecodeError) {
            let header = try PNGDecoder.header(of: bytes.span, limits: request.limits)
            let picture = try PNGDecoder.decode(bytes.span, header: header, request: request)
            self = .pixels(
                width: picture.width, height: picture.height,
                picture.pixels.copied(), isOpaque: picture.isOpaque)
        } catch {
            self = .failure(error)
        }
    }

    /// Decodes row by row for any size.
    static func byRows(_ bytes: [UInt8]) -> PNGOutcome {
        PNGOutcome(bytes, DecodeRequest(workingBytes: 0))
    }

    /// The error class without its text, or "ok".
    var name: String {
        switch self {
        case .pixels: "ok"
        case .failure(.notImage): "notImage"
        case .failure(.unsupported): "unsupported"
        case .failure(.truncated): "truncated"
        case .failure(.corrupt): "corrupt"
        case .failure(.limitPixels): "limitPixels"
        case .failure(.limitDecode): "limitDecode"
        }
    }

    /// The premultiplied RGBA bytes; empty after a failure.
    var rgba: [UInt8] {
        if case .pixels(_, _, let rgba, _) = self { rgba } else { [] }
    }
}
