import Notation
import Transport

/// Reads a file of records line by line, holding one block in memory.
struct RecordLines: ~Copyable {
    /// No line of ours is longer; a longer one is none of ours.
    private static let lineLimit = 16 << 20
    private static let blockLength = 1 << 20

    private let file: OpenFile
    private var offset = 0
    private var block: [UInt8] = []
    private var used = 0
    /// The line that was read last, from 1.
    private(set) var number = 0

    init(_ path: FilePath) throws(IntakeError) { file = try OpenFile(path) }

    /// The next line without its end, or `nil` after the last.
    mutating func next() throws(Fault) -> ArraySlice<UInt8>? {
        number += 1
        while true {
            if let end = block[used...].lineEnd {
                defer { used = end + 1 }
                return block[used..<end]
            }
            guard block.count - used <= Self.lineLimit else { throw Fault("the line never ends") }
            let more: [UInt8]
            do throws(IntakeError) {
                more = try file.read(at: offset, count: Self.blockLength)
            } catch {
                throw Fault("\(error)")
            }
            if more.isEmpty {
                guard used < block.count else { return nil }
                throw Fault("the last line is cut off")
            }
            offset += more.count
            block.removeFirst(used)
            block.append(contentsOf: more)
            used = 0
        }
    }

    /// Why there is no next line.
    struct Fault: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
}
