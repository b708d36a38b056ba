/// Cuts one record of a CSV or TSV list into its fields (RFC 4180).
enum DelimitedRecord {
    /// The fields without their quotes, and whether all are UTF-8; in those that are not, a sign stands
    /// for what cannot be read. Text between a closing quote and the next separator is kept as it stands.
    static func fields(
        _ record: ArraySlice<UInt8>, separator: UInt8
    ) -> (texts: [String], areUTF8: Bool) {
        var fields: [String] = []
        var areUTF8 = true
        func add(_ bytes: some Collection<UInt8>) {
            if let text = String(validating: bytes, as: UTF8.self) {
                fields.append(text)
            } else {
                fields.append(String(decoding: bytes, as: UTF8.self))
                areUTF8 = false
            }
        }
        var index = record.startIndex
        while true {
            if index < record.endIndex, record[index] == 0x22 {
                add(quoted(record, &index, separator))
            } else {
                let end = record[index...].firstIndex(of: separator) ?? record.endIndex
                add(record[index..<end])
                index = end
            }
            guard index < record.endIndex else { return (fields, areUTF8) }
            index += 1
        }
    }

    private static func quoted(
        _ record: ArraySlice<UInt8>, _ index: inout Int, _ separator: UInt8
    ) -> [UInt8] {
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
        return text
    }
}
