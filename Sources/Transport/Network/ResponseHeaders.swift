/// The header lines of an answer that somebody asks for.
package struct ResponseHeaders: Sendable, Equatable {
    package var etag: String?
    package var lastModified: String?
    package var cacheControl: String?
    package var contentType: String?
    package var robotsTag: String?
    package var retryAfter: String?
    package var location: String?
    package var age: String?
    package var date: String?
    package var expires: String?
    package var vary: String?

    package init() {}

    /// Reads the lines of a response head; of a name that comes twice the values are joined.
    package init(head: Span<UInt8>) {
        var start = 0
        var index = 0
        while index < head.count {
            if head[index] == 0x0A {
                take(head.extracting(start..<index))
                start = index + 1
            }
            index += 1
        }
    }

    /// The server asks that its pictures be left out of collections.
    package var optsOut: Bool {
        guard let tag = robotsTag?.lowercased() else { return false }
        return tag.split { $0 == "," || $0 == ":" || $0 == " " }
            .contains { $0 == "noai" || $0 == "noimageai" }
    }

    private mutating func take(_ line: Span<UInt8>) {
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
        guard colon < line.count, let field = Self.field(line.extracting(..<colon)) else { return }
        var first = colon + 1
        var last = line.count
        while first < last, line[first] == 0x20 || line[first] == 0x09 { first += 1 }
        while last > first, line[last - 1] <= 0x20 { last -= 1 }
        var value: [UInt8] = []
        value.reserveCapacity(last - first)
        for index in first..<last { value.append(line[index]) }
        let text = String(decoding: value, as: UTF8.self)
        if let old = self[keyPath: field] {
            // The first of two locations wins; lists go on.
            if field != \.location { self[keyPath: field] = old + ", " + text }
        } else {
            self[keyPath: field] = text
        }
    }

    private static func field(_ name: Span<UInt8>) -> WritableKeyPath<Self, String?>? {
        // The first letter and the length leave one candidate, which is then compared whole.
        guard name.count > 0 else { return nil }
        let candidate: (String, WritableKeyPath<Self, String?>)
        switch (name[0] | 0x20, name.count) {
        case (UInt8(ascii: "e"), 4): candidate = ("etag", \.etag)
        case (UInt8(ascii: "l"), 13): candidate = ("last-modified", \.lastModified)
        case (UInt8(ascii: "c"), 13): candidate = ("cache-control", \.cacheControl)
        case (UInt8(ascii: "c"), 12): candidate = ("content-type", \.contentType)
        case (UInt8(ascii: "x"), 12): candidate = ("x-robots-tag", \.robotsTag)
        case (UInt8(ascii: "r"), 11): candidate = ("retry-after", \.retryAfter)
        case (UInt8(ascii: "l"), 8): candidate = ("location", \.location)
        case (UInt8(ascii: "a"), 3): candidate = ("age", \.age)
        case (UInt8(ascii: "d"), 4): candidate = ("date", \.date)
        case (UInt8(ascii: "e"), 7): candidate = ("expires", \.expires)
        case (UInt8(ascii: "v"), 4): candidate = ("vary", \.vary)
        default: return nil
        }
        var index = 0
        for byte in candidate.0.utf8 {
            let letter = name[index]
            let isUpper = letter >= UInt8(ascii: "A") && letter <= UInt8(ascii: "Z")
            guard byte == (isUpper ? letter | 0x20 : letter) else { return nil }
            index += 1
        }
        return candidate.1
    }
}
