/// Cuts one record of a CSV or TSV list into its fields (RFC 4180).
enum DelimitedRecord {
    /// The fields without their quotes; nil if one is not UTF-8. Text between a closing quote and
    /// the next separator is kept as it stands.
    static func fields(_ record: ArraySlice<UInt8>, separator: UInt8) -> [String]? {
        var fields: [String] = []
        var index = record.startIndex
        while true {
            let field: String?
            if index < record.endIndex, record[index] == 0x22 {
                field = quoted(record, &index, separator)
            } else {
                let end = record[index...].firstIndex(of: separator) ?? record.endIndex
                field = String(validating: record[index..<end], as: UTF8.self)
                index = end
            }
            guard let field else { return nil }
            fields.append(field)
            guard index < record.endIndex else { return fields }
            index += 1
        }
    }

    private static func quoted(
        _ record: ArraySlice<UInt8>, _ index: inout Int, _ separator: UInt8
    ) -> String? {
        var text: [UInt8] = []
        index += 1
        while index < record.endIndex {
            let byte = record[index]
            index += 1
            if byte != 0x22 {
                text.append(byte)
            } else if index < record.endIndex, record[index] == 0x22 {
                text.append(0x22)
                index += 1
            } else {
                break
            }
        }
        let end = record[index...].firstIndex(of: separator) ?? record.endIndex
        text.append(contentsOf: record[index..<end])
        index = end
        return String(validating: text, as: UTF8.self)
    }
}
