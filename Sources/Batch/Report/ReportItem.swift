import Artwork
import Notation

/// What a report says of one item.
struct ReportItem {
    let id: String
    let source: String
    let errorClass: String?
    /// What should be looked at.
    private let lint: [String]
    private let label: String
    /// Where its picture lies, seen from the page; nil where it has none.
    let picture: String?
    private let width: Double
    private let height: Double

    init(_ record: JSON) {
        id = record["id"]?.stringValue ?? ""
        source = record["source"]?.stringValue ?? ""
        errorClass = record[path: ["error", "class"]]?.stringValue
        lint = (record["lint"]?.elements ?? []).compactMap(\.stringValue)
        label = record[path: ["accessibility", "label"]]?.stringValue ?? id
        // The largest layout at the smallest scale: what a page shows in points.
        let outputs = (record["outputs"]?.elements ?? []).filter { output in
            output["elsewhere"]?.boolValue != true
        }
        let least = outputs.compactMap { $0["scale"]?.doubleValue }.min() ?? 1
        let shown = outputs.last { $0["scale"]?.doubleValue == least }
        picture = shown?["path"]?.stringValue.map(Self.encoded)
        width = (shown?["width"]?.doubleValue ?? 0) / least
        height = (shown?["height"]?.doubleValue ?? 0) / least
    }

    func write(into page: inout Markup) {
        page.raw("<figure>")
        page.tag(
            "img",
            [
                ("src", picture), ("alt", label), ("loading", "lazy"),
                ("width", Markup.number(width)), ("height", Markup.number(height)),
            ])
        page.raw("<figcaption>")
        page.words(id)
        if let errorClass {
            page.raw(" ")
            page.element("b", words: errorClass)
        }
        for word in lint {
            page.raw(" ")
            page.element("i", words: word)
        }
        page.raw("</figcaption></figure>\n")
    }

    /// A path as a part of an address, so that no name of a file means something else there.
    private static func encoded(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "~"), UInt8(ascii: "@"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
