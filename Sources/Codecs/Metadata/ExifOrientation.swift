import Raster

package enum ExifOrientation {
    private static let entriesLimit = 1_000

    /// Reads a TIFF structure, with or without the `Exif` signature. Returns `.up` unless its first
    /// directory has exactly one valid orientation. Never reads past the end.
    package static func read(_ bytes: Span<UInt8>) -> Orientation {
        var start = 0
        if bytes.count >= 6, bytes[0] == 0x45, bytes[1] == 0x78, bytes[2] == 0x69,
            bytes[3] == 0x66, bytes[4] == 0, bytes[5] == 0
        {
            start = 6
        }
        let tiff = ByteReader(bytes.extracting(start..<bytes.count))
        guard let mark = tiff.big16(0), mark == 0x4949 || mark == 0x4D4D else { return .up }
        let little = mark == 0x4949
        guard tiff.u16(2, little: little) == 42, let first = tiff.u32(4, little: little),
            let entries = tiff.u16(first, little: little)
        else { return .up }
        for index in 0..<min(entries, entriesLimit) {
            let entry = first + 2 + index * 12
            guard let tag = tiff.u16(entry, little: little) else { return .up }
            guard tag == 0x0112 else { continue }
            return value(of: tiff, entry: entry, little: little)
        }
        return .up
    }

    /// Reads the value of a SHORT entry, or LONG, which some writers use.
    private static func value(of tiff: ByteReader, entry: Int, little: Bool) -> Orientation {
        guard tiff.u32(entry + 4, little: little) == 1 else { return .up }
        let raw: Int?
        switch tiff.u16(entry + 2, little: little) {
        case 3: raw = tiff.u16(entry + 8, little: little)
        case 4: raw = tiff.u32(entry + 8, little: little)
        default: raw = nil
        }
        return raw.flatMap(Orientation.init(rawValue:)) ?? .up
    }
}
