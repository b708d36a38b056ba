import Notation

struct SheetItem: Sendable {
    struct Output: Sendable {
        let path: String
        let layout: String
        let scale: Double
        let width: Int
        let height: Int
    }

    let group: String
    let isPlaceholder: Bool
    let outputs: [Output]

    /// Returns the picture of a layout with the most pixels, at a scale of at most 2.
    func picture(_ layout: String) -> Output? {
        outputs.filter { $0.layout == layout && $0.scale <= 2 }.max { $0.scale < $1.scale }
    }

    static func read(_ manifest: [UInt8]) throws(DatasetError) -> [SheetItem] {
        var items: [SheetItem] = []
        for line in manifest.split(separator: UInt8(ascii: "\n")) {
            let record: JSON
            do {
                record = try JSONParser.parse(Array(line).span)
            } catch {
                throw DatasetError(description: "The manifest cannot be read: \(error)")
            }
            guard record["type"]?.stringValue == "item" else { continue }
            let outputs = (record["outputs"]?.elements ?? []).compactMap(output)
            if outputs.isEmpty { continue }
            items.append(
                SheetItem(
                    group: record["extra"]?["group"]?.stringValue ?? "",
                    isPlaceholder: record["status"]?.stringValue == "placeholder",
                    outputs: outputs))
        }
        return items
    }

    private static func output(_ json: JSON) -> Output? {
        guard let path = json["path"]?.stringValue, let layout = json["layout"]?.stringValue,
            let scale = json["scale"]?.doubleValue, let width = json["width"]?.intValue,
            let height = json["height"]?.intValue
        else { return nil }
        return Output(path: path, layout: layout, scale: scale, width: width, height: height)
    }
}
