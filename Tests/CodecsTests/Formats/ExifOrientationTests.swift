import Codecs
import Raster
import Testing

func tiff(
    orientation: Int, little: Bool = true, type: Int = 3, count: Int = 1, offset: Int = 8
) -> [UInt8] {
    func two(_ value: Int) -> [UInt8] {
        let bytes = [UInt8(value >> 8 & 255), UInt8(value & 255)]
        return little ? bytes.reversed() : bytes
    }
    func four(_ value: Int) -> [UInt8] {
        little ? two(value & 0xFFFF) + two(value >> 16) : two(value >> 16) + two(value & 0xFFFF)
    }
    var bytes: [UInt8] = little ? [0x49, 0x49] : [0x4D, 0x4D]
    bytes += two(42) + four(offset)
    bytes += two(2)
    bytes += two(0x010F) + two(2) + four(4) + four(0)
    bytes += two(0x0112) + two(type) + four(count)
    bytes += type == 3 ? two(orientation) + two(0) : four(orientation)
    return bytes + four(offset)
}

private func read(_ bytes: [UInt8]) -> Orientation { ExifOrientation.read(bytes.span) }

@Suite("EXIF orientation")
struct ExifOrientationTests {
    @Test("each EXIF orientation is read in both byte orders and both types", arguments: 1...8)
    func eight(value: Int) {
        for little in [true, false] {
            for type in [3, 4] {
                let bytes = tiff(orientation: value, little: little, type: type)
                #expect(read(bytes).rawValue == value)
                let signed = [0x45, 0x78, 0x69, 0x66, 0, 0] + bytes
                #expect(read(signed).rawValue == value)
            }
        }
    }

    @Test("an invalid EXIF orientation leaves the pixels unchanged")
    func others() {
        for value in [0, 9, 65_535] {
            #expect(read(tiff(orientation: value)) == .up)
        }
        #expect(read(tiff(orientation: 6, count: 0)) == .up)
        #expect(read(tiff(orientation: 6, count: 2)) == .up)
        #expect(read(tiff(orientation: 6, type: 5)) == .up)
        #expect(read(tiff(orientation: 6, offset: 0xFFFF_FFFF)) == .up)
        #expect(read([]) == .up)
    }

    @Test("each prefix of EXIF data is read without a crash")
    func prefixes() {
        let bytes = tiff(orientation: 6)
        for length in 0..<bytes.count {
            let orientation = ExifOrientation.read(bytes.span.extracting(0..<length))
            #expect(orientation == .up || length >= 32)
        }
    }
}
