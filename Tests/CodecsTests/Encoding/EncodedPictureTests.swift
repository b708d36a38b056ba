import Codecs
import Raster
import Testing

@Suite("Recognition of encoded pictures")
struct EncodedPictureTests {
    private static let sizes = [(1, 1), (48, 48), (81, 37), (320, 80), (641, 513)].map {
        PixelSize(width: $0.0, height: $0.1)
    }

    private static func encoded(
        _ size: PixelSize, _ format: OutputFormat, opaque: Bool, quality: EncodeQuality? = nil
    ) throws -> [UInt8] {
        var buffer = PixelBuffer(size: size)
        if opaque { buffer.fill(Color(red: 9, green: 80, blue: 200)) }
        return try ImageEncoder.encode(
            buffer, EncodeSettings(format: format, quality: quality ?? format.defaultQuality))
    }

    private static func holds(
        _ bytes: [UInt8], _ format: OutputFormat, _ size: PixelSize
    ) -> Bool {
        EncodedPicture.isComplete(bytes.span, format, size)
    }

    @Test(
        "format and size of every written picture are recognised",
        arguments: OutputFormat.allCases)
    func ours(format: OutputFormat) throws {
        for size in Self.sizes {
            for opaque in [false, true] {
                for quality in [nil, EncodeQuality.lossless] where format != .jpeg || quality == nil
                {
                    let bytes = try Self.encoded(size, format, opaque: opaque, quality: quality)
                    #expect(Self.holds(bytes, format, size), "\(size)")
                    let taller = PixelSize(width: size.width, height: size.height + 2)
                    #expect(!Self.holds(bytes, format, taller))
                    for other in OutputFormat.allCases where other != format {
                        #expect(!Self.holds(bytes, other, size))
                    }
                }
            }
        }
    }

    @Test(
        "a picture that is cut or has extra bytes is not recognised as complete",
        arguments: [OutputFormat.png, .jpeg, .webp])
    func cuts(format: OutputFormat) throws {
        let size = PixelSize(width: 48, height: 48)
        let bytes = try Self.encoded(size, format, opaque: true)
        for count in 0..<bytes.count {
            #expect(!Self.holds(Array(bytes.prefix(count)), format, size))
        }
        #expect(!Self.holds(bytes + [1], format, size))
    }
}
