/// The smallest EXIF block: one directory with an orientation.
enum Exif {
    static func block(orientation: Int, bigEndian: Bool = true) -> [UInt8] {
        Array("Exif".utf8) + [0, 0] + tiff(orientation: orientation, bigEndian: bigEndian)
    }

    /// Returns the block without the marker's name, as PNG and WebP store it.
    static func tiff(orientation: Int, bigEndian: Bool = true) -> [UInt8] {
        func short(_ value: Int) -> [UInt8] {
            bigEndian
                ? [UInt8(value >> 8), UInt8(value & 255)] : [UInt8(value & 255), UInt8(value >> 8)]
        }
        func long(_ value: Int) -> [UInt8] {
            bigEndian ? short(0) + short(value) : short(value) + short(0)
        }
        let head = Array((bigEndian ? "MM" : "II").utf8) + short(42) + long(8)
        let entry = short(0x0112) + short(3) + long(1) + short(orientation) + short(0)
        return head + short(1) + entry + long(0)
    }
}
