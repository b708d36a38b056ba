import Codecs
import Digest
import Raster

/// Pixels that several runs read: a buffer itself has one owner.
final class KeptPixels: Sendable {
    let pixels: PixelBuffer

    init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
}

extension KernelWork {
    static func megapixels(_ size: PixelSize) -> Double {
        Double(size.width) * Double(size.height) / 1e6
    }

    /// The pixels of a file.
    static func pixels(of bytes: [UInt8], _ request: DecodeRequest) throws -> PixelBuffer {
        let header = try ImageDecoder.header(of: bytes.span)
        let picture = try ImageDecoder.decode(bytes.span, header: header, request: request)
        switch consume picture {
        case .raster(let pixels): return pixels
        case .vector: throw Failure.notRaster
        }
    }

    /// A picture to read from again and again, and its size.
    static func shared(_ bytes: [UInt8]) throws -> (KeptPixels, PixelSize) {
        let pixels = try pixels(of: bytes, DecodeRequest())
        let size = pixels.size
        return (KeptPixels(pixels), size)
    }

    /// One number for all pixels; nothing where nobody wants it, since it would be felt.
    static func digest(of pixels: borrowing PixelBuffer, _ isTold: Bool) -> String {
        isTold ? SHA256.hash(pixels.pixels).hex : ""
    }
}
