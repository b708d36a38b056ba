/// Reads JSON as RFC 8259 defines it, and nothing more.
///
/// The text is strict UTF-8; a byte-order mark in front is skipped. A name given twice in one
/// object is an error, because readers disagree on which of the two counts.
package enum JSONParser {
    /// The value of a whole text.
    package static func parse(
        _ bytes: Span<UInt8>, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSON {
        var reader = try reader(bytes, limits)
        var lines: JSONDocument.Lines?
        return try reader.document(&lines)
    }

    /// The value of a whole text with the line of each of its parts, for error messages.
    package static func document(
        _ bytes: Span<UInt8>, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONDocument {
        var reader = try reader(bytes, limits)
        var lines: JSONDocument.Lines? = JSONDocument.Lines(line: 1)
        let root = try reader.document(&lines)
        return JSONDocument(root: root, lines: lines ?? JSONDocument.Lines(line: 1))
    }

    @_lifetime(copy bytes)
    private static func reader(
        _ bytes: Span<UInt8>, _ limits: JSONLimits
    ) throws(JSONError) -> JSONReader {
        let reader = JSONReader(bytes, limits)
        guard bytes.count <= limits.bytes else {
            throw JSONError(line: 1, column: 1, reason: .tooLarge(limit: limits.bytes))
        }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes)
        } catch {
            throw reader.error(.invalidUTF8, at: error.byteOffsets.lowerBound)
        }
        return reader
    }
}
