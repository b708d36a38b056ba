/// Reads the text at the start of an image. A PNG signature before it is skipped: with the
/// signature, the image counts as one of a common format.
enum Words {
    private static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func first(_ count: Int, of bytes: Span<UInt8>) -> String {
        let isPNG =
            bytes.count >= mark.count && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
        let start = isPNG ? mark.count : 0
        var text = ""
        for index in start..<min(bytes.count, start + count) where bytes[index] > 32 {
            text.unicodeScalars.append(Unicode.Scalar(bytes[index]))
        }
        return text
    }
}
