import Codecs
import EmblemKit
import Foundation
import Raster
import Testing

/// The tests that are written like the code of an app: with the names, orders, defaults and closures
/// of a component catalogue. Some change what the whole program shares, so they run one by one.
@Suite("Code written for a component catalogue", .serialized)
enum Catalogue {}

/// A pixel with straight alpha.
struct Pixel: Hashable {
    let red, green, blue, alpha: UInt8

    init(_ shade: ThemeColor.Shade) {
        (red, green, blue, alpha) = (shade.red, shade.green, shade.blue, shade.alpha)
    }

    fileprivate init(_ bytes: ArraySlice<UInt8>) {
        let all = Array(bytes)
        (red, green, blue, alpha) = (all[0], all[1], all[2], all[3])
    }

    static let clear = Pixel([0, 0, 0, 0])
}

/// The pixels of an image, decoded from its PNG.
struct Pixels {
    let width: Int
    let height: Int
    private let bytes: [UInt8]

    init(_ image: EmblemKit.Image) throws {
        let file = try Array(image.pngData())
        let header = try ImageDecoder.header(of: file.span)
        let picture = try ImageDecoder.decode(
            file.span, header: header, request: DecodeRequest())
        guard case .raster(let pixels) = consume picture else { throw NoPixels() }
        (width, height) = (pixels.width, pixels.height)
        let all = pixels.pixels
        bytes = all.indices.map { all[$0] }
    }

    subscript(x: Int, y: Int) -> Pixel {
        let offset = (y * width + x) * 4
        return Pixel(bytes[offset..<offset + 4])
    }

    /// The number of different colours; 1 for a blank image.
    var colorCount: Int {
        Set((0..<width * height).map { Pixel(bytes[$0 * 4..<$0 * 4 + 4]) }).count
    }
}

struct NoPixels: Error {}

/// Returns an image of one colour.
func plainImage(
    _ width: Int = 60, _ height: Int = 40, _ color: [UInt8] = [200, 30, 40, 255]
) throws -> EmblemKit.Image {
    try Image(
        width: width, height: height, rgba: (0..<width * height).flatMap { _ in color })
}

/// The address of a logo, on a reserved test domain.
func logoURL(_ name: String = "logo.png") throws -> URL {
    try #require(URL(string: "https://pictures.test/\(name)"))
}
