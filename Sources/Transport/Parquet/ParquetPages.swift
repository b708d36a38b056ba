import CShims
import Glibc
import System

/// A value of a column.
enum ParquetValue {
    case text(ArraySlice<UInt8>)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case flag(Bool)
}

/// The bytes of the pages and dictionaries that are in memory, of all columns together.
final class ParquetMemory {
    static let bytesLimit = 256 << 20

    private var used = 0

    /// Accounts for `bytes` more in place of `former`.
    func replace(_ former: Int, with bytes: Int) throws(ParquetFault) {
        used += bytes - former
        guard used <= Self.bytesLimit else {
            throw ParquetFault(
                "its pages need more than \(Self.bytesLimit >> 20) MB of memory; write smaller row "
                    + "groups or fewer columns")
        }
    }
}

/// Reads the values of a column in one row group in order and holds one page at a time.
struct ParquetPages {
    static let pageBytesLimit = 64 << 20

    private let file: ParquetFile
    private let memory: ParquetMemory
    private let column: ParquetMetadata.Column
    private let codec: ParquetMetadata.Codec
    private var position: Int
    private let end: Int

    /// The values of the page that were not read yet, with empty ones.
    private var pageLeft = 0
    /// One bit per value: whether the row has a value. Nil if every row has one.
    private var presence: RunReader?
    private var values = PageValues.plain([], 0)
    private var dictionary: ParquetDictionary?
    private var pageBytes = 0
    private var dictionaryBytes = 0

    init(
        _ column: ParquetMetadata.Column, _ chunk: ParquetMetadata.Chunk, in file: ParquetFile,
        _ memory: ParquetMemory
    ) throws(ParquetFault) {
        self.column = column
        self.file = file
        self.memory = memory
        codec = chunk.codec
        position = chunk.start
        guard chunk.start <= file.size, chunk.byteCount <= file.size - chunk.start else {
            throw ParquetFault("it is cut short: the pages of a column are missing")
        }
        end = chunk.start + chunk.byteCount
    }

    /// Returns the value of the next row; nil if the row has none.
    mutating func next() throws(ParquetFault) -> ParquetValue? {
        while pageLeft == 0 { try load() }
        pageLeft -= 1
        if try presence?.next() == 0 { return nil }
        return try values.next(column, dictionary)
    }

    /// Releases the memory of the last page and of the dictionary.
    func close() throws(ParquetFault) { try memory.replace(pageBytes + dictionaryBytes, with: 0) }

    // MARK: Pages

    private mutating func load() throws(ParquetFault) {
        guard position < end else {
            throw ParquetFault("it is damaged: a column has fewer values than rows")
        }
        let header = try PageHeader(file, at: position, end: end)
        position += header.byteCount
        let (packed, size) = (header.compressedSize, header.size)
        guard (0...end - position).contains(packed) else {
            throw ParquetFault("it is damaged: a page is longer than its column")
        }
        guard (0...Self.pageBytesLimit).contains(size), packed <= Self.pageBytesLimit else {
            throw ParquetFault("it has a page of more than \(Self.pageBytesLimit >> 20) MB")
        }
        let isData = header.kind == .data || header.kind == .dataV2
        // A header of one byte states nothing; a chunk full of them would cost a read for each byte.
        guard header.byteCount > 1 else { throw .damagedPage }
        guard isData || header.kind == .dictionary else {
            position += packed
            return
        }
        // The levels of a page of version 2 stay in the packed bytes.
        let held = size + packed
        if isData {
            try memory.replace(pageBytes, with: held)
            pageBytes = held
        } else {
            try memory.replace(dictionaryBytes, with: held)
            dictionaryBytes = held
        }
        let raw = try file.bytes(at: position, count: packed)
        position += packed
        switch header.kind {
        case .dictionary:
            dictionary = try ParquetDictionary(
                try unpacked(raw[...], size), count: header.valueCount, column)
        case .data: try startPage(header, try unpacked(raw[...], size))
        default: try startPageV2(header, raw)
        }
    }

    private mutating func startPage(
        _ header: PageHeader, _ bytes: [UInt8]
    ) throws(ParquetFault) {
        var start = 0
        presence = nil
        if column.isOptional {
            guard header.levelsEncoding == PageEncoding.runs else {
                throw ParquetFault("its levels have an outdated encoding")
            }
            let count = try bytes.littleEndian(4, at: 0)
            guard count <= bytes.count - 4 else { throw .damagedPage }
            start = 4 + count
            presence = RunReader(bytes, 4..<start, width: 1)
        }
        values = try PageValues(bytes, start, header.encoding, column)
        pageLeft = header.valueCount
    }

    /// Starts a page of version 2, whose levels are not compressed.
    private mutating func startPageV2(
        _ header: PageHeader, _ raw: [UInt8]
    ) throws(ParquetFault) {
        let levels = header.levelsSize
        guard levels.repetition == 0, (0...min(raw.count, header.size)).contains(levels.definition)
        else { throw .damagedPage }
        presence = column.isOptional ? RunReader(raw, 0..<levels.definition, width: 1) : nil
        let rest = raw[levels.definition...]
        guard header.isCompressed || raw.count == header.size else { throw .damagedPage }
        let bytes =
            header.isCompressed
            ? try unpacked(rest, header.size - levels.definition) : Array(rest)
        values = try PageValues(bytes, 0, header.encoding, column)
        pageLeft = header.valueCount
    }

    private func unpacked(
        _ bytes: ArraySlice<UInt8>, _ size: Int
    ) throws(ParquetFault) -> [UInt8] {
        let found: [UInt8]?
        switch codec {
        case .none: found = Array(bytes)
        case .snappy: found = Snappy.decompress(bytes, count: size)
        case .gzip: found = try inflated(bytes, size)
        case .zstd: found = try Self.decompressedZstd(bytes, size)
        }
        guard let found, found.count == size else { throw .damagedCompression }
        return found
    }

    private func inflated(
        _ bytes: ArraySlice<UInt8>, _ size: Int
    ) throws(ParquetFault) -> [UInt8]? {
        guard var inflater = GzipInflater() else { throw ParquetFault(.exhausted(Errno(ENOMEM))) }
        var output: [UInt8] = []
        output.reserveCapacity(size)
        let isSound = try inflater.inflate(bytes.span) { piece throws(ParquetFault) in
            guard piece.count <= size - output.count else { throw .damagedCompression }
            for index in piece.indices { output.append(piece[index]) }
        }
        return isSound ? output : nil
    }

    private static func decompressedZstd(
        _ bytes: ArraySlice<UInt8>, _ size: Int
    ) throws(ParquetFault) -> [UInt8]? {
        guard emb_zstd_is_found() != 0 else {
            throw ParquetFault(
                .unreadable("its pages are compressed with zstd, and libzstd.so.1 is missing"))
        }
        var output = [UInt8](repeating: 0, count: size)
        let made = unsafe output.withUnsafeMutableBufferPointer { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                unsafe emb_zstd_decompress(
                    target.baseAddress, target.count, source.baseAddress, source.count)
            }
        }
        return made == size ? output : nil
    }
}

/// The header of a page.
struct PageHeader {
    enum Kind: Int {
        case data = 0
        case dictionary = 2
        case dataV2 = 3
    }

    /// A header may contain the least and the greatest value of the page.
    private static let bytesLimit = 1 << 20
    private static let usualBytes = 4096

    private(set) var kind: Kind?
    /// The size after decompression.
    private(set) var size = 0
    private(set) var compressedSize = 0
    private(set) var valueCount = 0
    private(set) var encoding = 0
    private(set) var levelsEncoding = 0
    private(set) var levelsSize = (definition: 0, repetition: 0)
    private(set) var isCompressed = true
    /// The size of the header itself.
    private(set) var byteCount = 0

    init(_ file: ParquetFile, at position: Int, end: Int) throws(ParquetFault) {
        var count = Self.usualBytes
        while true {
            let bytes = try file.bytes(at: position, count: min(count, end - position))
            do throws(ParquetFault) {
                try self.init(bytes)
                return
            } catch {
                // The header may be longer than the bytes that were read.
                guard bytes.count == count, count < Self.bytesLimit else { throw error }
                count *= 16
            }
        }
    }

    private init(_ bytes: [UInt8]) throws(ParquetFault) {
        var reader = ThriftReader(bytes)
        var header = Self()
        try reader.structure { reader, number, kind throws(ParquetFault) in
            switch (number, kind) {
            case (1, .int32): header.kind = Kind(rawValue: try reader.integer())
            case (2, .int32): header.size = try reader.integer()
            case (3, .int32): header.compressedSize = try reader.integer()
            case (5, .structure), (7, .structure):
                try reader.structure { reader, number, kind throws(ParquetFault) in
                    try header.readField(number, kind, &reader)
                }
            case (8, .structure):
                try reader.structure { reader, number, kind throws(ParquetFault) in
                    try header.readFieldV2(number, kind, &reader)
                }
            default: try reader.skip(kind)
            }
        }
        header.byteCount = reader.position
        guard header.valueCount >= 0 else { throw .damagedPage }
        self = header
    }

    private init() {}

    private mutating func readField(
        _ number: Int, _ kind: ThriftReader.Kind, _ reader: inout ThriftReader
    ) throws(ParquetFault) {
        switch (number, kind) {
        case (1, .int32): valueCount = try reader.integer()
        case (2, .int32): encoding = try reader.integer()
        case (3, .int32): levelsEncoding = try reader.integer()
        default: try reader.skip(kind)
        }
    }

    private mutating func readFieldV2(
        _ number: Int, _ kind: ThriftReader.Kind, _ reader: inout ThriftReader
    ) throws(ParquetFault) {
        switch (number, kind) {
        case (1, .int32): valueCount = try reader.integer()
        case (4, .int32): encoding = try reader.integer()
        case (5, .int32): levelsSize.definition = try reader.integer()
        case (6, .int32): levelsSize.repetition = try reader.integer()
        case (7, .isTrue): isCompressed = true
        case (7, .isFalse): isCompressed = false
        default: try reader.skip(kind)
        }
    }
}
