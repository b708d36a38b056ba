import Codecs

extension Outcome {
    /// The class of an outcome, without texts and pixels.
    var name: String {
        switch self {
        case .picture, .vector: "ok"
        case .failed(.notImage): "not_image"
        case .failed(.unsupported): "unsupported"
        case .failed(.truncated): "truncated"
        case .failed(.corrupt): "corrupt"
        case .failed(.limitPixels): "limit_pixels"
        case .failed(.limitDecode): "limit_decode"
        }
    }
}
