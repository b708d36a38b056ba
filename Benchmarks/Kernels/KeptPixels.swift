import Codecs
import Digest
import Raster

/// Pixels that several runs share. A `PixelBuffer` itself has a single owner.
final class KeptPixels: Sendable {
    let pixels: PixelBuffer

    init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
}

extension KernelWork {
    static func megapixels(_ size: PixelSize) -> Double {
        Double(size.width) * Double(size.height) / 1e6
    }

    static func pixels(of bytes: [UInt8], _ request: DecodeRequest) throws -> PixelBuffer {
        let header = try ImageDecoder.header(of: bytes.span)
        let picture = try ImageDecoder.decode(bytes.span, header: header, request: request)
        switch consume picture {
        case .raster(let pixels): return pixels
        case .vector: throw Failure.notRaster
        }
    }

    static func shared(_ bytes: [UInt8]) throws -> (KeptPixels, PixelSize) {
        let pixels = try pixels(of: bytes, DecodeRequest())
        let size = pixels.size
        return (KeptPixels(pixels), size)
    }

    /// Returns a digest of all pixels, or an empty text if it is not requested, because it takes
    /// time.
    static func digest(of pixels: borrowing PixelBuffer, _ isRequested: Bool) -> String {
        isRequested ? SHA256.hash(pixels.pixels).hex : ""
    }
}
