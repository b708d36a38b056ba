import Notation

/// A picture file next to the page that a browser can show.
struct ReportPicture {
    /// The formats that browsers show, the most widely supported first.
    private static let extensions = ["png", "webp", "jpg", "jpeg", "avif", "svg"]

    /// The URL relative to the page.
    let address: String
    let layout: String
    let isDark: Bool
    /// The size in points.
    let width: Double
    let height: Double
    private let scale: Double
    private let rank: Int

    /// Nil for files in folders outside OUT, and in formats that no browser shows.
    init?(_ output: JSON) {
        guard let path = output["path"]?.stringValue, !path.hasPrefix("/"),
            output["elsewhere"] == nil,
            let dot = path.lastIndex(of: "."),
            let rank = Self.extensions.firstIndex(of: path[path.index(after: dot)...].lowercased())
        else { return nil }
        self.rank = rank
        scale = max(output["scale"]?.doubleValue ?? 1, 0.1)
        address = Self.encoded(path)
        layout = output["layout"]?.stringValue ?? ""
        isDark = output["scheme"]?.stringValue == "dark"
        width = (output["width"]?.doubleValue ?? 0) / scale
        height = (output["height"]?.doubleValue ?? 0) / scale
    }

    /// Chooses one picture for each layout and scheme: the most widely supported format at the
    /// smallest scale, the largest picture first.
    static func chosen(from outputs: [JSON]) -> [ReportPicture] {
        var chosen: [ReportPicture] = []
        for output in outputs {
            guard let picture = ReportPicture(output) else { continue }
            let rival = chosen.firstIndex {
                $0.layout == picture.layout && $0.isDark == picture.isDark
            }
            if let rival {
                let (old, new) = (chosen[rival], picture)
                if (new.rank, new.scale) < (old.rank, old.scale) { chosen[rival] = new }
            } else {
                chosen.append(picture)
            }
        }
        return chosen.enumerated().sorted { one, other in
            (other.element.height, one.offset) < (one.element.height, other.offset)
        }.map(\.element)
    }

    /// Returns the picture that the tile of an item shows for a scheme.
    static func ofTile(_ pictures: [ReportPicture], dark isDark: Bool) -> ReportPicture? {
        pictures.first { $0.isDark == isDark }
    }

    func write(into json: inout JSONWriter) {
        json.beginArray()
        json.write(address)
        json.write(Self.rounded(width))
        json.write(Self.rounded(height))
        json.write(layout)
        json.write(isDark ? "dark" : "light")
        json.endArray()
    }

    private static func rounded(_ points: Double) -> Double { (points * 100).rounded() / 100 }

    /// Percent-encodes a path for use in a URL.
    static func encoded(_ path: String) -> String {
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
