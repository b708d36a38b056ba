import Codecs
import EmblemKit
import FoundationEssentials
import Raster

/// Small pictures of one colour.
enum TestPictures {
    static func png(
        _ width: Int = 60, _ height: Int = 40, _ color: Color = Color(red: 200, green: 30, blue: 40)
    ) throws -> [UInt8] {
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        buffer.fill(color)
        return try ImageEncoder.encode(buffer, EncodeSettings(format: .png))
    }

    static func image(
        _ width: Int = 60, _ height: Int = 40, _ color: Color = Color(red: 200, green: 30, blue: 40)
    ) throws -> EmblemKit.Image {
        try Image(blockingData: png(width, height, color))
    }

    /// Returns a PNG with a valid header and without its last 30 bytes.
    static func truncated() throws -> [UInt8] {
        try Array(png().dropLast(30))
    }

    /// Returns the colour of a pixel of a PNG, with its alpha.
    static func pixel(_ x: Int, _ y: Int, of image: EmblemKit.Image) throws -> [UInt8] {
        let bytes = try Array(image.pngData())
        let header = try ImageDecoder.header(of: bytes.span)
        let picture = try ImageDecoder.decode(
            bytes.span, header: header, request: DecodeRequest())
        switch consume picture {
        case .raster(let pixels):
            let offset = (y * pixels.width + x) * 4
            let all = pixels.pixels
            return [all[offset], all[offset + 1], all[offset + 2], all[offset + 3]]
        case .vector: throw OwnError(word: "a drawing has no pixels")
        }
    }

    static func header(of data: some Sequence<UInt8>) throws -> ImageHeader {
        try ImageDecoder.header(of: Array(data).span)
    }
}

/// Returns a URL on a reserved test domain, which no test requests from a server.
func testURL(_ name: String = "logo.png") throws -> URL {
    guard let url = URL(string: "https://pictures.test/\(name)") else {
        throw OwnError(word: "no URL")
    }
    return url
}
