import Digest
import Notation

/// Makes journals whose lines have correct checksums.
enum JournalAssembly {
    private static let coveredStart = 17

    static func withSoundLines(_ bytes: [UInt8]) -> [UInt8] {
        var journal: [UInt8] = []
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if !journal.isEmpty { journal.append(0x0A) }
            journal += sound(line)
        }
        return journal
    }

    private static func sound(_ line: ArraySlice<UInt8>) -> [UInt8] {
        guard line.count > coveredStart, line.starts(with: "{\"crc\":\"".utf8) else {
            return Array(line)
        }
        let covered = Array(line.dropFirst(coveredStart))
        let crc = Hexadecimal.text(CRC32.checksum(covered.span), width: 8)
        return Array("{\"crc\":\"\(crc)\"".utf8) + covered
    }
}
