import Codecs
import Gauge
import Raster
import Render
import Transport

extension ItemFailure {
    package init(_ error: DecodeError) {
        self.init(
            ErrorClass(error), stage: .decode, detail: "\(error)",
            cause: OrderError.render(.decode(error)))
    }
}

extension ErrorClass {
    package init(_ error: DecodeError) {
        self =
            switch error {
            case .notImage: .notImage
            case .unsupported: .unsupported
            case .truncated: .truncated
            case .corrupt: .corrupt
            case .limitPixels: .limitPixels
            case .limitDecode: .limitDecode
            }
    }
}

extension SourceRecord.Header {
    init(_ header: ImageHeader) {
        self.init(
            format: header.format.name, width: header.size.width, height: header.size.height,
            orientation: header.orientation.rawValue, hasAlpha: header.hasAlpha)
    }
}
