import Artwork
import Codecs
import Engine
import Notation
import Transport

/// A folder for a web server: pictures with digests in their names, so that they can be cached
/// forever, an index, a style sheet and a page of example markup.
package struct WebSite: OutputTarget {
    static let index = "index.json"
    static let sheet = "emblem.css"
    static let page = "snippets.html"

    package var kind: TargetKind { .web }
    private let tokens: ThemeTokens
    private let layouts: [ComponentLayout]

    package init(_ tokens: ThemeTokens, layouts: [ComponentLayout]) {
        self.tokens = tokens
        self.layouts = layouts
    }

    package func path(of picture: TargetPicture) -> RelativePath? {
        // The folder may be OUT itself.
        let name = ReservedName.avoiding(picture.name(for: .web)) {
            [Self.index, Self.sheet, Self.page].contains($0) || RunFile.isName($0)
        }
        let digest = picture.digest?.prefix(8) ?? "########"
        return RelativePath(
            "\(name)/\(picture.layout)-\(digest).\(picture.fileExtension)")
    }

    package var documents: [TargetDocument] {
        [
            TargetDocument(
                TargetFile(Self.index, WebIndex.head), entry: WebIndex.entry, tail: WebIndex.tail),
            TargetDocument(TargetFile(Self.sheet, WebSheet.text(tokens, layouts))),
            TargetDocument(
                TargetFile(Self.page, WebPage.head), entry: WebPage.entry, tail: WebPage.tail),
        ]
    }
}

/// `index.json`: the files of each item and layout by format and scale.
enum WebIndex {
    static let schema = "emblem.web/1"
    static let head = "{\"schema\":\"\(schema)\",\"items\":["
    static let tail = "\n]}\n"

    static func entry(_ item: TargetItem, _ number: Int) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in write(item, into: &json) }
        return Array((number == 0 ? "\n" : ",\n").utf8) + json.bytes
    }

    private static func write(_ item: TargetItem, into json: inout JSONWriter) {
        let record = item.record
        json.member("id", record.id)
        json.member("status", record.status.rawValue)
        json.member("alt", item.alternativeText)
        if let hint = record.accessibility.hint { json.member("hint", hint) }
        if let thumbHash = record.thumbHash { json.member("thumbhash", thumbHash) }
        if let dominant = record.dominant { json.member("dominant_color", dominant) }
        json.object("layouts") { json in
            for layout in item.layouts {
                json.object(layout.name) { json in write(layout.pictures, into: &json) }
            }
        }
    }

    private static func write(_ pictures: [OutputRecord], into json: inout JSONWriter) {
        if let points = pictures.first?.points {
            json.member("width", points.width)
            json.member("height", points.height)
        }
        for isDark in [false, true] {
            let files = pictures.filter { $0.isDark == isDark }
            guard !files.isEmpty else { continue }
            json.object(isDark ? "dark" : "files") { json in
                for format in WebFormat.ordered(files) {
                    json.object(format.name) { json in
                        for file in files where file.fileExtension == format.fileExtension {
                            json.member(file.scaleWord, file.path)
                        }
                    }
                }
            }
        }
    }
}

/// The formats of web pages in order of preference; every browser supports the last format.
enum WebFormat {
    private static let order: [OutputFormat] = {
        let known: [OutputFormat] = [.avif, .webp, .png, .jpeg]
        return OutputFormat.allCases.filter { !known.contains($0) } + known
    }()

    static func ordered(_ pictures: [OutputRecord]) -> [OutputFormat] {
        let extensions = Set(pictures.map(\.fileExtension))
        return order.filter { extensions.contains($0.fileExtension) }
    }

    static func mediaType(of format: OutputFormat) -> String { "image/\(format.name)" }
}
