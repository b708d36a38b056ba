import Digest

/// The PNG of a contact sheet. A text in it tells it from other pictures in an output folder.
package enum SheetFile {
    /// The offset of the first chunk after the header of a PNG.
    private static let start = 33
    private static let mark = {
        let text = Array("tEXtSoftware\0emblem contact sheet".utf8)
        func word(_ value: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return word(UInt32(text.count - 4)) + text + word(CRC32.checksum(text.span))
    }()

    package static func marked(_ png: [UInt8]) -> [UInt8] {
        png[..<start] + mark + png[start...]
    }

    /// - Parameter head: the first bytes of a file.
    static func isMarked(_ head: some Collection<UInt8>) -> Bool {
        head.dropFirst(start).starts(with: mark)
    }
}
