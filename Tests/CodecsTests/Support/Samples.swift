import CShims
import Codecs
import Raster
import Testing

enum Sample {
    /// Returns soft waves with a few hard edges, similar to a photograph.
    static func waves(_ width: Int, _ height: Int, hasAlpha: Bool = false) -> PixelBuffer {
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        var pixels = buffer.mutablePixels
        for y in 0..<height {
            for x in 0..<width {
                let offset = (y * width + x) * 4
                let edge = x * 3 / width == 1 && y * 3 / height == 1 ? 60 : 0
                pixels[offset] = UInt8(40 + abs(x * 7 % 254 - 127) + edge)
                pixels[offset + 1] = UInt8(30 + abs(y * 5 % 254 - 127) + edge)
                pixels[offset + 2] = UInt8(20 + abs((x + y) * 3 % 254 - 127) + edge)
                pixels[offset + 3] = hasAlpha ? UInt8((x + y) * 255 / (width + height)) : 255
            }
        }
        buffer.isOpaque = !hasAlpha
        buffer.premultiply()
        return buffer
    }

    /// The colours of the upright image at the top left, top right, bottom left and bottom right.
    static let quarters = [
        Color(red: 230, green: 20, blue: 20), Color(red: 20, green: 200, blue: 20),
        Color(red: 20, green: 20, blue: 220), Color(red: 240, green: 240, blue: 240),
    ]

    /// For each EXIF orientation from 1: the indices into `quarters` of the stored image, at the
    /// top left, top right, bottom left and bottom right.
    static let stored = [
        [0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1],
        [0, 2, 1, 3], [1, 3, 0, 2], [3, 1, 2, 0], [2, 0, 3, 1],
    ]

    /// Returns the stored rows of an image of 48 x 32 pixels when upright.
    static func turned(_ orientation: Int) -> PixelBuffer {
        let (width, height) = orientation >= 5 ? (32, 48) : (48, 32)
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        var pixels = buffer.mutablePixels
        for y in 0..<height {
            for x in 0..<width {
                let quarter = (y * 2 / height) * 2 + x * 2 / width
                let color = quarters[stored[orientation - 1][quarter]]
                let offset = (y * width + x) * 4
                pixels[offset] = color.red
                pixels[offset + 1] = color.green
                pixels[offset + 2] = color.blue
                pixels[offset + 3] = 255
            }
        }
        buffer.isOpaque = true
        return buffer
    }

    /// Returns whether the quarters of an upright image of 48 x 32 pixels have their colours.
    static func isUpright(_ buffer: borrowing PixelBuffer) -> Bool {
        guard buffer.size == PixelSize(width: 48, height: 32) else { return false }
        for (index, color) in quarters.enumerated() {
            let found = pixel(buffer, 12 + index % 2 * 24, 8 + index / 2 * 16)
            let far = zip(found, [color.red, color.green, color.blue, 255]).contains {
                abs(Int($0) - Int($1)) > 12
            }
            if far { return false }
        }
        return true
    }
}

func pixel(_ buffer: borrowing PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
    let offset = (y * buffer.width + x) * 4
    let pixels = buffer.pixels
    return (0..<4).map { pixels[offset + $0] }
}

/// Returns the mean channel difference of two images, or infinity if the sizes differ.
func distance(_ one: borrowing PixelBuffer, _ other: borrowing PixelBuffer) -> Double {
    guard one.size == other.size else { return .infinity }
    let (left, right) = (one.pixels, other.pixels)
    var sum = 0
    for index in 0..<left.count {
        sum += abs(Int(left[index]) - Int(right[index]))
    }
    return Double(sum) / Double(left.count)
}

/// The result of a decode as a comparable value.
enum Outcome: Hashable {
    case picture(PixelSize, UInt64)
    case vector
    case failed(DecodeError)

    init(_ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest()) {
        do throws(DecodeError) {
            let header = try ImageDecoder.header(of: bytes.span, limits: request.limits)
            switch try ImageDecoder.decode(bytes.span, header: header, request: request) {
            case .raster(let buffer):
                var hash: UInt64 = 14_695_981_039_346_656_037
                let pixels = buffer.pixels
                for index in 0..<pixels.count {
                    hash = (hash ^ UInt64(pixels[index])) &* 1_099_511_628_211
                }
                self = .picture(buffer.size, hash)
            case .vector: self = .vector
            }
        } catch {
            self = .failed(error)
        }
    }

    var error: DecodeError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// Returns the difference between our codec and the library: nil if both fail for the same reason,
/// infinity if they disagree.
func apartFromLibraries(_ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest()) -> Double? {
    var theirs = request
    theirs.codecs = .system
    let (mine, other) = (Outcome(bytes, request).name, Outcome(bytes, theirs).name)
    guard mine == other else { return .infinity }
    guard mine == "ok" else { return nil }
    do throws(DecodeError) {
        return distance(try decode(bytes, request), try decode(bytes, theirs))
    } catch {
        return .infinity
    }
}

func readHeader(
    _ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()
) throws(DecodeError) -> ImageHeader {
    try ImageDecoder.header(of: bytes.span, limits: limits)
}

/// Decodes a raster image; a vector image fails the test.
func decode(
    _ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest()
) throws(DecodeError) -> PixelBuffer {
    let header = try readHeader(bytes, limits: request.limits)
    switch try ImageDecoder.decode(bytes.span, header: header, request: request) {
    case .raster(let buffer): return buffer
    case .vector: throw .unsupported("a vector where pixels are expected")
    }
}

func le16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
func le24(_ value: Int) -> [UInt8] { le16(value & 0xFFFF) + [UInt8(value >> 16 & 255)] }
func le32(_ value: Int) -> [UInt8] { le16(value & 0xFFFF) + le16(value >> 16 & 0xFFFF) }
func be16(_ value: Int) -> [UInt8] { le16(value).reversed() }
func be32(_ value: Int) -> [UInt8] { le32(value).reversed() }
