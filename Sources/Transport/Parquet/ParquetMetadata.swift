/// The metadata at the end of a Parquet file, for the columns that a list can use.
struct ParquetMetadata {
    /// A column of the schema with one text, number or truth value in each row.
    struct Column: Hashable {
        let name: String
        /// Whether bytes are marked as text. Some writers do not mark them.
        let isText: Bool
        /// The position among all leaves of the schema, which is also the position of its chunk in
        /// each row group.
        let leaf: Int
        let type: PhysicalType
        let isOptional: Bool
        /// Whether integers have no sign.
        let isUnsigned: Bool
    }

    /// The types of the format whose values can be read, by their numbers.
    enum PhysicalType: Int {
        case boolean = 0
        case int32 = 1
        case int64 = 2
        case float = 4
        case double = 5
        case bytes = 6
    }

    enum Codec: Int {
        case none = 0
        case snappy = 1
        case gzip = 2
        case zstd = 6
    }

    /// The pages of one column in one row group.
    struct Chunk {
        var codec = Codec.none
        var dataOffset = 0
        var dictionaryOffset = 0
        var byteCount = 0

        /// The offset of the first page. Some writers store 0 if there is no dictionary.
        var start: Int {
            dictionaryOffset > 0 ? min(dictionaryOffset, dataOffset) : dataOffset
        }
    }

    struct RowGroup {
        var rowCount = 0
        /// The chunk of each column in `columns`.
        var chunks: [Chunk] = []
    }

    /// The most columns, counted with all levels of nesting.
    private static let elementsLimit = 10_000
    /// The most chunks of all row groups together.
    private static let chunksLimit = 1_000_000

    private(set) var columns: [Column] = []
    /// The columns of other kinds by name, each with its kind, such as "nested" or "a date or time".
    private(set) var unreadable: [String: String] = [:]
    private(set) var groups: [RowGroup] = []

    init(_ bytes: [UInt8]) throws(ParquetFault) {
        var reader = ThriftReader(bytes)
        var elements: [Element] = []
        var columns: [Column] = []
        var unreadable: [String: String] = [:]
        var groups: [RowGroup] = []
        try reader.structure { reader, number, kind throws(ParquetFault) in
            switch (number, kind) {
            case (2, .list):
                guard elements.isEmpty else { throw .damagedMetadata }
                try reader.list { reader, kind throws(ParquetFault) in
                    guard kind == .structure else { throw .damagedMetadata }
                    guard elements.count < Self.elementsLimit else {
                        throw ParquetFault("it has more than \(Self.elementsLimit) columns")
                    }
                    elements.append(try Element(&reader))
                }
                (columns, unreadable) = try Self.columns(elements)
            case (4, .list):
                try reader.list { reader, kind throws(ParquetFault) in
                    guard kind == .structure else { throw .damagedMetadata }
                    guard groups.count * max(columns.count, 1) < Self.chunksLimit else {
                        throw ParquetFault("it has too many row groups")
                    }
                    groups.append(try RowGroup(&reader, columns))
                }
            default: try reader.skip(kind)
            }
        }
        guard groups.allSatisfy({ $0.chunks.count == columns.count }) else {
            throw .damagedMetadata
        }
        (self.columns, self.unreadable, self.groups) = (columns, unreadable, groups)
    }

    /// Returns the readable columns of a schema, which lists a tree depth first, and the others.
    private static func columns(
        _ elements: [Element]
    ) throws(ParquetFault) -> (columns: [Column], unreadable: [String: String]) {
        var columns: [Column] = []
        var unreadable: [String: String] = [:]
        var (index, leaf) = (1, 0)
        while index < elements.count {
            let element = elements[index]
            index += 1
            if element.childCount == 0 {
                if let column = element.column(leaf: leaf) {
                    columns.append(column)
                } else {
                    unreadable[element.name] = element.kind
                }
                leaf += 1
                continue
            }
            unreadable[element.name] = "nested"
            var pending = element.childCount
            while pending > 0 {
                guard index < elements.count else { throw .damagedMetadata }
                pending += elements[index].childCount - 1
                if elements[index].childCount == 0 { leaf += 1 }
                index += 1
            }
        }
        return (columns, unreadable)
    }

    /// An element of the schema: a column, or a group of columns.
    private struct Element {
        private static let optional = 1
        private static let repeated = 2

        var name = ""
        var childCount = 0
        private var type: Int?
        private var repetition = 0
        private var convertedType: Int?
        private var logicalType: Int?

        init(_ reader: inout ThriftReader) throws(ParquetFault) {
            var element = Self()
            try reader.structure { reader, number, kind throws(ParquetFault) in
                switch (number, kind) {
                case (1, .int32): element.type = try reader.integer()
                case (3, .int32): element.repetition = try reader.integer()
                case (4, .binary): element.name = try reader.text()
                case (5, .int32): element.childCount = try reader.integer()
                case (6, .int32): element.convertedType = try reader.integer()
                case (10, .structure):
                    try reader.structure { reader, number, kind throws(ParquetFault) in
                        element.logicalType = number
                        try reader.skip(kind)
                    }
                default: try reader.skip(kind)
                }
            }
            guard (0...ParquetMetadata.elementsLimit).contains(element.childCount) else {
                throw ParquetFault("it is damaged: a group of columns has no valid size")
            }
            self = element
        }

        private init() {}

        /// The numbers of types: first those of `convertedType`, then those of `logicalType`.
        private static let texts: (Set<Int>, Set<Int>) = ([0, 4, 19], [1, 4, 12])
        private static let decimals: (Set<Int>, Set<Int>) = ([5], [5])
        private static let times: (Set<Int>, Set<Int>) = ([6, 7, 8, 9, 10, 21], [6, 7, 8])

        private func isOne(of types: (converted: Set<Int>, logical: Set<Int>)) -> Bool {
            convertedType.map(types.converted.contains) ?? false
                || logicalType.map(types.logical.contains) ?? false
        }

        /// The kind of a column that cannot be read, for a message.
        var kind: String {
            if repetition >= Self.repeated { return "nested" }
            if isOne(of: Self.decimals) { return "a decimal number" }
            return isOne(of: Self.times) ? "a date or time" : "binary"
        }

        /// Returns the column; nil if a list cannot use its values.
        func column(leaf: Int) -> Column? {
            guard let type = type.flatMap({ PhysicalType(rawValue: $0) }),
                repetition < Self.repeated, !isOne(of: Self.decimals), !isOne(of: Self.times)
            else { return nil }
            return Column(
                name: name, isText: isOne(of: Self.texts), leaf: leaf, type: type,
                isOptional: repetition == Self.optional,
                isUnsigned: convertedType.map { (11...14).contains($0) } ?? false)
        }
    }
}

extension ParquetMetadata.RowGroup {
    /// Reads a row group and keeps the chunks of `columns`.
    fileprivate init(
        _ reader: inout ThriftReader, _ columns: [ParquetMetadata.Column]
    ) throws(ParquetFault) {
        var group = Self()
        try reader.structure { reader, number, kind throws(ParquetFault) in
            switch (number, kind) {
            case (1, .list):
                var leaf = 0
                try reader.list { reader, kind throws(ParquetFault) in
                    let isNext =
                        group.chunks.count < columns.count
                        && columns[group.chunks.count].leaf == leaf
                    if isNext, kind == .structure {
                        group.chunks.append(try ParquetMetadata.Chunk(&reader))
                    } else {
                        try reader.skip(kind, isElement: true)
                    }
                    leaf += 1
                }
            case (3, .int64): group.rowCount = try reader.integer()
            default: try reader.skip(kind)
            }
        }
        guard group.chunks.count == columns.count, group.rowCount >= 0 else {
            throw ParquetFault("it is damaged: a row group does not have the columns of the schema")
        }
        self = group
    }
}

extension ParquetMetadata.Chunk {
    fileprivate init(_ reader: inout ThriftReader) throws(ParquetFault) {
        var chunk = Self()
        try reader.structure { reader, number, kind throws(ParquetFault) in
            switch (number, kind) {
            case (1, .binary):
                throw ParquetFault("some of its columns are in other files, which is not supported")
            case (3, .structure):
                try reader.structure { reader, number, kind throws(ParquetFault) in
                    try chunk.readField(number, kind, &reader)
                }
            case (8, .structure): throw ParquetFault("it has encrypted columns")
            default: try reader.skip(kind)
            }
        }
        guard chunk.dataOffset >= 0, chunk.byteCount >= 0, chunk.dictionaryOffset >= 0 else {
            throw ParquetFault("it is damaged: a column has no valid position")
        }
        self = chunk
    }

    private mutating func readField(
        _ number: Int, _ kind: ThriftReader.Kind, _ reader: inout ThriftReader
    ) throws(ParquetFault) {
        switch (number, kind) {
        case (4, .int32):
            let number = try reader.integer()
            guard let codec = ParquetMetadata.Codec(rawValue: number) else {
                throw ParquetFault(
                    "its pages are compressed with \(Self.codecName(number)); write it with snappy, "
                        + "gzip or zstd")
            }
            self.codec = codec
        case (7, .int64): byteCount = try reader.integer()
        case (9, .int64): dataOffset = try reader.integer()
        case (11, .int64): dictionaryOffset = try reader.integer()
        default: try reader.skip(kind)
        }
    }

    private static func codecName(_ number: Int) -> String {
        [3: "LZO", 4: "Brotli", 5: "LZ4", 7: "LZ4"][number] ?? "an unknown method"
    }
}
