import CWebPAlpha
import Raster

/// A reader for the alpha plane of a lossy image.
///
/// libwebp spends three fifths of the time of a logo on alpha: it keeps four bytes per value and
/// undoes the filter one value at a time. This reader keeps one byte, undoes eight rows at once,
/// and takes a fifth of that time. It reads what encoders write for alpha; libwebp reads everything
/// else.
enum WebPAlpha {
    /// The most bytes held meanwhile beside the plane.
    static func memoryCost(of size: PixelSize) -> Int {
        guard let width = Int32(exactly: size.width), let height = Int32(exactly: size.height)
        else { return 0 }
        return emb_alpha_room(width, height)
    }

    /// Unpacks the alpha that `data` begins with into its plane, and says where the picture's own
    /// chunk begins. Nil where there is none, or it is not as writers write it: libwebp reads that.
    static func read(_ data: Span<UInt8>, into planes: borrowing ColorPlanes) -> Int? {
        let reader = ByteReader(data)
        guard let alpha = unsafe planes.alpha, reader.holds("ALPH", at: 0),
            let length = reader.little32(4), length <= data.count - 8,
            case let rest = 8 + length + (length & 1), reader.holds("VP8 ", at: rest)
        else { return nil }
        let (width, height) = (Int32(planes.size.width), Int32(planes.size.height))
        let isRead = unsafe data.extracting(8..<8 + length).withUnsafeBufferPointer { chunk in
            guard let start = chunk.baseAddress else { return false }
            return unsafe emb_alpha_unpack(start, chunk.count, width, height, alpha) != 0
        }
        return isRead ? rest : nil
    }
}
