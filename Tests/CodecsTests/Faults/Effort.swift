import Codecs
import Glibc

/// What a decode cost this thread, whatever else the machine was doing.
func processorSeconds(_ body: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    body()
    return now() - start
}

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
