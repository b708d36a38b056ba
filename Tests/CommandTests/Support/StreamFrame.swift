import Notation
import Testing

struct StreamFrame {
    let record: JSON
    /// The bytes of each output, in order.
    let pictures: [[UInt8]]

    var key: JSON? { record["key"] }
    var id: String? { record["id"]?.stringValue }
    var errorClass: String? { record[path: ["error", "class"]]?.stringValue }

    static func all(in bytes: [UInt8]) throws -> [StreamFrame] {
        var frames: [StreamFrame] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            let record = try JSONParser.parse(Array(rest[..<end]).span)
            rest = rest[(end + 1)...]
            var pictures: [[UInt8]] = []
            for output in record["outputs"]?.elements ?? [] {
                let count = try #require(output["bytes"]?.intValue)
                try #require(rest.count >= count)
                pictures.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            frames.append(StreamFrame(record: record, pictures: pictures))
        }
        #expect(rest.isEmpty, "something stands behind the last frame")
        return frames
    }
}
