import CLibWebP
import CWebPAlpha
import Codecs
import Raster
import Support

/// Puts an alpha chunk before an ordinary picture. The bytes are: width, height, and the chunk's
/// content.
enum SmallWebP {
    static func compare(_ bytes: [UInt8], into digest: inout OutcomeDigest) {
        guard bytes.count > 2 else { return }
        let size = PixelSize(width: 1 + Int(bytes[0] & 63), height: 1 + Int(bytes[1] & 63))
        let chunk = Array(bytes[2...])
        var plane = [UInt8](repeating: 0, count: size.area)
        let isRead = unsafe emb_alpha_unpack(
            chunk, chunk.count, Int32(size.width), Int32(size.height), &plane)
        guard isRead != 0 else { return }
        law(alpha(in: chunk, size) == plane, "Another alpha than libwebp's.")
        digest.add(plane.span)
    }

    /// Decodes with libwebp; nil if it rejects the file.
    private static func alpha(in chunk: [UInt8], _ size: PixelSize) -> [UInt8]? {
        guard
            let picture = try? WebPReconstruction(of: PixelBuffer(size: size), quantizer: 60).file
        else { return nil }
        var data = Array("ALPH".utf8)
        for shift in stride(from: 0, to: 32, by: 8) {
            data.append(UInt8(truncatingIfNeeded: chunk.count >> shift))
        }
        data += chunk + [UInt8](repeating: 0, count: chunk.count & 1) + picture[12...]
        var (width, height): (Int32, Int32) = (0, 0)
        guard let pixels = unsafe WebPDecodeRGBA(data, data.count, &width, &height) else {
            return nil
        }
        defer { unsafe WebPFree(pixels) }
        return (0..<size.area).map { unsafe pixels[$0 * 4 + 3] }
    }
}
