import Codecs
import Raster

/// A document around `body`, with the given attributes on its root.
func svg(_ attributes: String, _ body: String = "") -> [UInt8] {
    Array("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)>\(body)</svg>".utf8)
}

/// Loads and draws, and hands the picture to `body`.
func drawing(
    _ bytes: [UInt8], at size: PixelSize, visible: PixelRect? = nil
) throws -> PixelBuffer {
    try VectorPicture(svg: bytes.span, limits: DecodeLimits()).render(at: size, visible: visible)
}

/// The size that a document gives itself.
func exactSize(_ bytes: [UInt8]) throws -> [Double] {
    let picture = try VectorPicture(svg: bytes.span, limits: DecodeLimits())
    return [picture.exactWidth, picture.exactHeight]
}

/// Why a document is refused, or nil.
func refusal(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) -> DecodeError? {
    do throws(DecodeError) {
        _ = try VectorPicture(svg: bytes.span, limits: limits)
            .render(at: PixelSize(width: 40, height: 40))
        return nil
    } catch {
        return error
    }
}

extension PixelBuffer {
    /// Red, green, blue and alpha of one pixel.
    func rgba(_ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * width + x) * 4
        return (0..<4).map { pixels[start + $0] }
    }

    /// The bytes, for comparing two pictures.
    func bytes() -> [UInt8] {
        pixels.indices.map { pixels[$0] }
    }
}
