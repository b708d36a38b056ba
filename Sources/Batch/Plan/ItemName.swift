import Codecs
import Digest
import Notation
import Transport

/// Builds the part of an output's name that identifies its item.
package enum ItemName {
    /// The limit for a name, including its suffix.
    package static let bytesLimit = 120

    /// Returns the name that a row asks for, before it is compared with other names.
    package static func wanted(
        id: String?, source: String?, kind: SourceReference.Kind?
    ) -> String {
        if let id, !id.isEmpty { return clean(id) }
        guard let whole = source, !whole.isEmpty else { return clean("") }
        // Names are public, so secrets are masked.
        let source = SourceMask().shown(whole)
        switch kind {
        case .standardInput: return "stdin"
        case .given: return clean(stem(FilePath(source).lastComponent))
        case .file where source != whole: return clean(stem(FilePath(source).lastComponent))
        case .file(let path): return clean(stem(path.lastComponent))
        case .remote: return clean(urlName(source))
        case .data: return "data-" + hash(of: source)
        case .icon(let name): return clean(name)
        case nil:
            // The source is invalid, so its scheme alone decides the form of the name.
            let scheme = SourceReference.scheme(of: source)
            if scheme == "data" { return "data-" + hash(of: source) }
            let path = FilePath(source)
            return clean(scheme == nil ? stem(path.lastComponent) : urlName(source))
        }
    }

    /// Returns the name for a file found in a folder: its relative path without the extension.
    package static func wanted(in path: FilePath) -> String {
        let shown = FilePath(SourceMask().shown(path.description))
        let own = clean(stem(shown.lastComponent))
        guard shown.bytes.contains(UInt8(ascii: "/")) else { return own }
        let folders = shown.folder.bytes.split(separator: UInt8(ascii: "/")).map {
            folderName(clean(String(decoding: $0, as: UTF8.self)))
        }
        let whole = (folders + [own]).joined(separator: "/")
        // In very deep folders, only the file's own name is used, and a suffix makes it unique.
        return whole.utf8.count <= pathBytesLimit ? whole : own
    }

    /// Returns the name of a folder. It must not look like the name of a picture, which an output
    /// may have.
    private static func folderName(_ name: String) -> String {
        PictureName.hasPictureExtension(name) ? name + "_" : name
    }

    /// The limit for a name with folders.
    private static let pathBytesLimit = 2_048

    package static func ownPart(of name: String) -> Substring {
        name.utf8.lastIndex(of: UInt8(ascii: "/")).map { name[name.utf8.index(after: $0)...] }
            ?? name[...]
    }

    /// Returns the folders of a name without the final slash; empty if there are none.
    package static func folders(of name: String) -> Substring {
        name.utf8.lastIndex(of: UInt8(ascii: "/")).map { name[..<$0] } ?? ""
    }

    /// Returns the first eight hexadecimal digits of the SHA-256 of a source as listed.
    package static func hash(of source: String) -> String {
        SHA256.hash(source).prefixHex(8)
    }

    /// Returns the text as a file name in NFC. Letters with their marks, digits, `.`, `_` and `-`
    /// stay; every other character becomes one `-`.
    package static func clean(_ text: String) -> String {
        if isClean(text) { return text }
        var bytes = Array(text.utf8)
        var isASCII = true
        for index in bytes.indices {
            if bytes[index] >= 0x80 { isASCII = false }
            if bytes[index] < 0x80, !isPlain(bytes[index]) { bytes[index] = 0x2D }
        }
        let replaced = String(decoding: bytes, as: UTF8.self)
        let kept = isASCII ? replaced : lettersOnly(TextForm.composed(replaced))
        let start = kept.utf8.drop { $0 == 0x2E || $0 == 0x2D }
        return finish(cut(Substring(start), to: bytesLimit))
    }

    package static func suffixed(_ name: String, _ suffix: String) -> String {
        // A dot before the suffix is harmless; only the end of the whole name must not be a dot.
        let own = ownPart(of: name)
        let kept = cut(own, to: bytesLimit - suffix.utf8.count)
        return name[..<own.startIndex] + kept + suffix
    }

    /// Returns the name without dots at its end, or `item` if nothing is left.
    private static func finish(_ name: Substring) -> String {
        var end = name.utf8.endIndex
        while end > name.utf8.startIndex {
            let before = name.utf8.index(before: end)
            guard name.utf8[before] == 0x2E else { break }
            end = before
        }
        let result = name[..<end]
        return result.isEmpty ? "item" : String(result)
    }

    /// Whether the text is already a valid file name.
    private static func isClean(_ text: String) -> Bool {
        guard let first = text.utf8.first, first != 0x2E, first != 0x2D, text.utf8.last != 0x2E
        else { return false }
        return text.utf8.count <= bytesLimit && text.utf8.allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    private static func lettersOnly(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for character in text {
            var isAfterLetter = false
            var hasDash = false
            for scalar in character.unicodeScalars {
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                    .otherLetter:
                    kept.append(scalar)
                    isAfterLetter = true
                case .nonspacingMark, .spacingMark, .enclosingMark:
                    if isAfterLetter {
                        kept.append(scalar)
                    } else if !hasDash {
                        kept.append("-")
                        hasDash = true
                    }
                case .decimalNumber: kept.append(scalar)
                default:
                    if scalar.isASCII, isPlain(UInt8(truncatingIfNeeded: scalar.value)) {
                        kept.append(scalar)
                    } else if !hasDash {
                        kept.append("-")
                        hasDash = true
                    }
                }
            }
        }
        return String(kept)
    }

    /// Returns as many whole characters from the start as fit; if the first character alone is too
    /// long, whole scalars.
    private static func cut(_ text: Substring, to limit: Int) -> Substring {
        guard text.utf8.count > limit else { return text }
        var end = text.startIndex
        var count = 0
        while end < text.endIndex {
            let next = text.index(after: end)
            count += text[end..<next].utf8.count
            guard count <= limit else { break }
            end = next
        }
        guard end == text.startIndex else { return text[..<end] }
        count = 0
        for index in text.unicodeScalars.indices {
            count += text.unicodeScalars[index].utf8.count
            guard count <= limit else { return text[..<index] }
        }
        return text
    }

    private static func stem(_ name: ArraySlice<UInt8>) -> String {
        let text = String(decoding: name, as: UTF8.self)
        guard let dot = text.utf8.lastIndex(of: 0x2E), dot > text.startIndex else { return text }
        return String(text[..<dot])
    }

    /// Returns the last non-empty part of the path, or the host.
    private static func urlName(_ url: String) -> String {
        let end = url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        var rest = url.utf8[..<(end ?? url.utf8.endIndex)]
        rest = rest.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        let hasHost = rest.starts(with: "//".utf8)
        var parts = rest.split(separator: UInt8(ascii: "/"))
        let host = hasHost && !parts.isEmpty ? parts.removeFirst() : nil
        if let last = parts.last {
            let decoded = PercentCoding.decoded(String(Substring(last)))
            return String(PictureName.withoutPictureExtension(decoded))
        }
        return String(Substring(bareHost(host ?? rest.dropLast(0))))
    }

    /// Returns the host of a URL without user and port.
    private static func bareHost(_ authority: Substring.UTF8View) -> Substring.UTF8View {
        var host = authority
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[host.index(after: at)...] }
        if host.first == UInt8(ascii: "[") {
            return host.dropFirst().prefix { $0 != UInt8(ascii: "]") }
        }
        return host.prefix { $0 != UInt8(ascii: ":") }
    }
}
