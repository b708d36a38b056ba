import CLibWebP
import Codecs
import Raster
import Testing

/// Reads our files with libwebp's incremental decoder, which browsers use.
@Suite("WebP read in pieces")
struct WebPInPiecesTests {
    /// Returns whether libwebp reads a whole file in pieces of `length` bytes.
    private static func reads(_ file: [UInt8], inPiecesOf length: Int) -> Bool {
        guard let decoder = unsafe WebPINewDecoder(nil) else { return false }
        defer { unsafe WebPIDelete(decoder) }
        var status = VP8_STATUS_SUSPENDED
        for start in stride(from: 0, to: file.count, by: length) {
            let piece = Array(file[start..<min(start + length, file.count)])
            status = unsafe WebPIAppend(decoder, piece, piece.count)
            guard status == VP8_STATUS_SUSPENDED else { break }
        }
        return status == VP8_STATUS_OK
    }

    @Test("a small WebP that arrives in pieces is decoded", arguments: [1, 50, 82, 100])
    func smallSizes(quality: Int) throws {
        for width in 1...34 {
            for height in [1, 2, 14, 16, 17] {
                var picture = PixelBuffer(size: PixelSize(width: width, height: height))
                picture.fill(Color(red: UInt8(width * 7), green: UInt8(height * 11), blue: 90))
                let file = try WebPEncoder.encode(picture, quality: .lossy(quality))
                for length in [file.count, 37, 1] {
                    #expect(
                        Self.reads(file, inPiecesOf: length),
                        "\(width) by \(height) in pieces of \(length)")
                }
            }
        }
    }
}
