import Codecs
import Raster

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
    case picture(PixelSize, [UInt8], isOpaque: Bool)
    case vector
    case failed(DecodeError)

    init(_ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest()) {
        do throws(DecodeError) {
            let header = try ImageDecoder.header(of: bytes.span, limits: request.limits)
            switch try ImageDecoder.decode(bytes.span, header: header, request: request) {
            case .raster(let buffer):
                self = .picture(buffer.size, buffer.pixels.copied(), isOpaque: buffer.isOpaque)
            case .vector: self = .vector
            }
        } catch {
            self = .failed(error)
        }
    }

    var error: DecodeError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// The premultiplied RGBA bytes; empty after a failure.
    var rgba: [UInt8] {
        if case .picture(_, let rgba, _) = self { rgba } else { [] }
    }

    /// The class of the error, or "ok".
    var name: String { error?.name ?? "ok" }
}

extension DecodeError {
    var name: String {
        switch self {
        case .notImage: "not_image"
        case .unsupported: "unsupported"
        case .truncated: "truncated"
        case .corrupt: "corrupt"
        case .limitPixels: "limit_pixels"
        case .limitDecode: "limit_decode"
        }
    }

    /// The text that says what is unsupported, corrupt or limited.
    var detail: String {
        switch self {
        case .unsupported(let text), .corrupt(let text), .limitDecode(let text): text
        case .notImage, .truncated, .limitPixels: ""
        }
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

func readHeader(_ bytes: [UInt8]) throws(DecodeError) -> ImageHeader {
    try ImageDecoder.header(of: bytes.span)
}

/// Decodes a raster image; a vector image fails the test.
func decode(
    _ bytes: [UInt8], _ request: DecodeRequest = DecodeRequest()
) throws(DecodeError) -> PixelBuffer {
    let header = try ImageDecoder.header(of: bytes.span, limits: request.limits)
    switch try ImageDecoder.decode(bytes.span, header: header, request: request) {
    case .raster(let buffer): return buffer
    case .vector: throw .unsupported("a vector where pixels are expected")
    }
}
