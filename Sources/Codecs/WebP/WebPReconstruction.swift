import CWebPLossy
import Raster

/// A lossy file beside what its encoder took a reader to make of it, for those who prove that.
package struct WebPReconstruction: Sendable {
    package let file: [UInt8]
    /// Luma, then both planes of chroma, before the borders of blocks are smoothed.
    package let planes: [UInt8]

    /// - Parameters:
    ///   - buffer: no side longer than 2,048; alpha is left aside.
    ///   - quantizer: from 0, finest, to 127.
    /// - Throws: `tooLarge`, or `failed` where memory is short.
    package init(of buffer: borrowing PixelBuffer, quantizer: Int) throws(EncodeError) {
        guard WebPLossyEncoder.takes(buffer.size) else { throw .tooLarge(.webp, buffer.size) }
        let (width, height) = (buffer.width, buffer.height)
        let room = WebPLossyEncoder.roomBytes(for: buffer.size)
        var picture = [UInt8](repeating: 0, count: room)
        var planes = [UInt8](
            repeating: 0, count: width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2))
        let count = unsafe buffer.withUnsafePixels { pixels in
            unsafe picture.withUnsafeMutableBufferPointer { target in
                unsafe planes.withUnsafeMutableBufferPointer { made in
                    guard let start = target.baseAddress, let first = made.baseAddress else {
                        return 0
                    }
                    return unsafe emb_webp_encode_planes(
                        pixels, Int32(width), Int32(height), Int32(quantizer), start, room, first)
                }
            }
        }
        guard count > 0 else { throw .failed(.webp, "no memory") }
        picture.removeLast(room - count)
        file = WebPFile.plain(picture.span)
        self.planes = planes
    }
}
