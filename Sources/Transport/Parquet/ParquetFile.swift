import System

/// An open Parquet file.
struct ParquetFile {
    static let magic = Array("PAR1".utf8)
    private static let encryptedMagic = Array("PARE".utf8)
    private static let metadataLimit = 64 << 20

    private let file: SharedDescriptor
    private let facts: FileFacts

    var size: Int { Int(facts.size) }

    init(_ file: SharedDescriptor) throws(ParquetFault) {
        self.file = file
        facts = try Self.facts(of: file)
    }

    /// Whether the file has the bytes that it had when it was opened.
    var isUnchanged: Bool {
        get throws(ParquetFault) {
            try Self.facts(of: file).haveSameBytes(as: facts, sameEntry: true)
        }
    }

    /// Reads the metadata. The last eight bytes of a file are its size and the magic number.
    func metadata() throws(ParquetFault) -> ParquetMetadata {
        guard size >= 12 else { throw ParquetFault("it is cut short") }
        let tail = try bytes(at: size - 8, count: 8)
        guard !tail[4...].elementsEqual(Self.encryptedMagic) else {
            throw ParquetFault("it is encrypted")
        }
        guard tail[4...].elementsEqual(Self.magic) else {
            throw ParquetFault("it is cut short, because a Parquet file ends with PAR1")
        }
        let count = try tail.littleEndian(4, at: 0)
        guard count <= Self.metadataLimit, count <= size - 12 else {
            throw ParquetFault("it is damaged: its metadata has no valid size")
        }
        return try ParquetMetadata(try bytes(at: size - 8 - count, count: count))
    }

    /// Reads exactly `count` bytes.
    func bytes(at offset: Int, count: Int) throws(ParquetFault) -> [UInt8] {
        var bytes: [UInt8] = []
        try Self.reading { () throws(Errno) in
            while bytes.count < count {
                let position = Int64(offset + bytes.count)
                let taken = try unsafe bytes.appendBytes(count - bytes.count) {
                    buffer throws(Errno) in
                    try unsafe SystemCalls.read(file.number, at: position, into: buffer)
                }
                if taken == 0 { break }
            }
        }
        guard bytes.count == count else { throw ParquetFault(.changed) }
        return bytes
    }

    private static func facts(of file: SharedDescriptor) throws(ParquetFault) -> FileFacts {
        try reading { () throws(Errno) in try SystemCalls.facts(of: file.number) }
    }

    private static func reading<Value>(
        _ body: () throws(Errno) -> Value
    ) throws(ParquetFault) -> Value {
        try rethrowing(as: { ParquetFault(ListError.Reason(reading: $0)) }, body)
    }
}
