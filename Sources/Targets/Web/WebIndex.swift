import Codecs
import Engine
import Notation

/// `index.json`: for each item and layout its files by format and scale.
enum WebIndex {
    static let head = "{\"schema\":\"emblem.web/1\",\"items\":["
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
