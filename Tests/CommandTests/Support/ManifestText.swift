import Notation
import Support

struct ManifestText {
    let lines: [JSON]

    init(_ folder: ScratchFolder, _ out: String = "out") throws {
        lines = try folder.text("\(out)/manifest.ndjson").split(separator: "\n").map {
            try JSONParser.parse(Array($0.utf8).span)
        }
    }

    var items: [JSON] { lines.filter { $0["type"]?.stringValue == "item" } }
    var summary: JSON? { lines.last }

    func item(_ id: String) -> JSON? { items.first { $0["id"]?.stringValue == id } }

    func errorClass(_ id: String) -> String? {
        item(id)?[path: ["error", "class"]]?.stringValue
    }
}
