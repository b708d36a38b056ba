import Artwork
import Notation
import Render
import System
import Transport

struct ReportItem {
    /// Longer texts are cut, because a `data:` source could make the page too large to open.
    private static let textLimit = 400
    private static let lintLimit = 12
    private static let stale = "stale"

    let index: Int
    /// The number of the row in its list, counted from 1.
    let row: Int?
    let id: String
    /// The base name of its files.
    private let name: String
    let source: String
    private let isCut: Bool
    let host: String?
    /// `stale` for an item that keeps an earlier picture.
    let status: String
    let errorClass: String?
    private(set) var reason: String?
    /// The age of a stale item's picture as text; nil if it is unknown.
    private(set) var made: String?
    let lint: [String]
    private let look: ReportLook?
    private let label: String?
    private let appearance: String?
    /// The format, size and bytes of its source, as text.
    private let form: String?
    private let bytes: Int?
    let pictures: [ReportPicture]
    /// The URL of the source, relative to the page, to compare with the emblem; nil if it cannot be
    /// shown.
    private var before: String?

    init(_ record: JSON) {
        func text(_ path: String...) -> String? {
            record[path: path]?.stringValue.map { Self.cut($0) }
        }
        index = record["index"]?.intValue ?? 0
        row = record["row"]?.intValue ?? record["line"]?.intValue
        id = text("id") ?? ""
        name = text("name") ?? id
        let whole = SourceMask().shown(record["source"]?.stringValue ?? "")
        source = Self.cut(whole)
        isCut = source != whole
        host = URLGrammar.host(of: whole).map { Self.cut($0) }
        status = record["stale"] == nil ? text("status") ?? "" : Self.stale
        errorClass = text("error", "class")
        reason = text("error", "message")
        lint = (record["lint"]?.elements ?? []).prefix(Self.lintLimit).compactMap {
            PictureLint($0).map { Self.cut($0.text) }
        }
        look = ReportLook(record["look"])
        label = text("accessibility", "label")
        appearance = text("overrides", "appearance")
        let src = record["input"]
        bytes = src?["bytes"]?.intValue
        form = src.flatMap { Self.form($0) }
        pictures = ReportPicture.chosen(from: record["outputs"]?.elements ?? [])
    }

    var title: String { id.isEmpty ? name : id }

    var isStale: Bool { status == Self.stale }

    /// The group of the item on a page: 0 for stale items, 1 for other items without their own
    /// picture, 2 for items with their own picture.
    var rank: Int { isStale ? 0 : errorClass != nil ? 1 : 2 }

    private var message: String? {
        guard isStale else { return reason }
        let kept = "Keeps its last good emblem" + (made.map { ", made \($0)" } ?? "")
        return "\(kept). " + (reason ?? "")
    }

    mutating func explain(_ reason: String) { self.reason = Self.cut(reason) }

    /// Finds the age of a stale item's picture. A picture that is newer than the start of the run
    /// was drawn again from the cache, so its age is unknown.
    mutating func findAge(_ record: JSON, in folder: FilePath, ofRunAt start: String) {
        let output = record["outputs"]?.elements?.first { $0["elsewhere"] == nil }
        guard isStale, let path = output?["path"]?.stringValue.flatMap({ RelativePath($0) }),
            let facts = FileFacts.at(folder.appending(FilePath(path.text))), facts.kind == .file,
            facts.modified >= 0
        else { return }
        let milliseconds = facts.modified / 1_000_000
        let time = WallClock.iso8601(milliseconds: milliseconds)
        guard time.prefix(19) < start.prefix(19) else { return }
        let age = max(0, WallClock.nowMilliseconds - milliseconds) / 60_000
        made = "\(time.prefix(10)) (\(Self.words(minutes: Int(age))) ago)"
    }

    private static func words(minutes: Int) -> String {
        switch minutes {
        case ..<120: ReportNumber.counted(minutes, "minute", "minutes")
        case ..<2_880: ReportNumber.counted(minutes / 60, "hour", "hours")
        default: ReportNumber.counted(minutes / 1_440, "day", "days")
        }
    }

    /// Finds the source among the files that the page can reach.
    mutating func findSource(among sources: ReportSources) {
        guard !isCut, let bytes else { return }
        before = sources.address(of: source, bytes: bytes)
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > textLimit else { return text }
        return String(text.unicodeScalars.prefix(textLimit)) + "…"
    }

    private static func form(_ src: JSON) -> String? {
        var words: [String] = []
        if let format = src["format"]?.stringValue { words.append(format) }
        if let width = src["width"]?.intValue, let height = src["height"]?.intValue {
            words.append("\(width) × \(height) px")
        }
        if let bytes = src["bytes"]?.intValue {
            words.append("\(ReportNumber.grouped(bytes)) bytes")
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// Writes the item for the script; default values are left out.
    func write(into json: inout JSONWriter, _ sentences: inout ReportSentences) {
        json.object { json in
            json.member("index", index)
            json.member("name", name)
            if id != name, !id.isEmpty { json.member("id", id) }
            if let row { json.member("row", row) }
            json.member("source", source)
            if isCut { json.member("isCut", true) }
            if let host { json.member("host", host) }
            json.member("status", status)
            if let errorClass { json.member("class", errorClass) }
            if let message { json.member("message", message) }
            if !lint.isEmpty {
                json.array("lint") { json in for word in lint { json.write(word) } }
            }
            look?.write(into: &json, &sentences)
            if let label, label != title { json.member("label", label) }
            if let appearance { json.member("appearance", appearance) }
            if let form { json.member("src", form) }
            if let before { json.member("before", before) }
            if !pictures.isEmpty {
                json.array("pictures") { json in
                    for picture in pictures { picture.write(into: &json) }
                }
            }
        }
    }

    /// Writes the item as HTML for pages without scripts.
    func write(schemes: [String], into page: inout Markup) {
        page.raw("<li><div class=\"card whole\"><div class=\"grounds\">")
        for scheme in schemes {
            page.tag("div", [("class", "ground \(scheme)")])
            let picture = ReportPicture.ofTile(pictures, dark: scheme == "dark")
            if let picture {
                page.tag(
                    "img",
                    [
                        ("src", picture.address),
                        ("alt", scheme == "dark" ? "" : label ?? title), ("loading", "lazy"),
                        ("width", Markup.number(picture.width)),
                        ("height", Markup.number(picture.height)),
                    ])
            } else {
                page.raw("<span>no picture here</span>")
            }
            page.raw("</div>")
        }
        let word = isStale ? status : errorClass ?? status
        page.raw("</div><div class=\"words\">")
        page.element("bdi", [("class", "own")], words: title)
        page.raw("<div class=\"tags\">")
        page.element("span", [("class", "tag \(status)")], words: word)
        for word in lint { page.element("span", [("class", "tag lint")], words: word) }
        page.raw("</div>")
        for sentence in look?.sentences ?? [] {
            page.element("p", [("class", "look")], words: sentence)
        }
        page.raw("</div></div></li>\n")
    }
}
