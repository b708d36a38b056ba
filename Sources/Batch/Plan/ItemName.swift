import CDrawing
import Codecs
import Digest
import Engine
import Notation
import Render
import Synchronization
import Targets
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

extension BatchItem {
    /// The name that the item asks for, before conflicts are resolved.
    package var wantedName: String { wantedName(kind) }

    /// - Parameter kind: The kind of its source.
    func wantedName(_ kind: SourceReference.Kind?) -> String {
        if givenID == nil, let path = pathInFolder { return ItemName.wanted(in: path) }
        return ItemName.wanted(id: givenID, source: source, kind: kind)
    }

    /// The kind of the source, even if the run does not allow it.
    package var kind: SourceReference.Kind? { knownReference(remoteOnly: false)?.kind }
}

/// Decides the names of items.
///
/// Items that share their files use the name of the first of them. If two sets of files want one
/// name, both get a suffix, so that a name never depends on the order. Suffixed names that still
/// collide are numbered in input order. Names are compared after `TextForm.folded`.
struct NameChoice {
    /// The name of each item with files of its own; empty for other items.
    private(set) var names: [String] = []
    /// The first item of each set of files.
    private var owners: [ItemKey: UInt32] = [:]
    private(set) var renamedCount = 0
    /// The first items of up to ten conflicting sets.
    private(set) var renamedExamples: [Int] = []

    /// Adds the next item.
    ///
    /// - Parameters:
    ///   - kind: The kind of its source.
    ///   - drawsLabels: Whether its label is drawn, so that it affects the files.
    /// - Returns: The index of the first item with the same files, usually its own.
    mutating func add(
        _ item: BatchItem, _ kind: SourceReference.Kind?, drawsLabels: Bool
    ) -> UInt32 {
        let name = item.wantedName(kind)
        // A row can ask for initials even if the run does not draw labels.
        let isDrawn = drawsLabels || item.placeholder == PlaceholderChoice.initials.spelling
        let files = ItemKey(
            item, kind, name: TextForm.folded(name), label: isDrawn ? item.label : nil)
        let index = UInt32(names.count)
        if let owner = owners[files] {
            names.append("")
            return owner
        }
        owners[files] = index
        names.append(name)
        return index
    }

    /// Settles the names after the last item. `source` returns the source of an item.
    mutating func settle(source: (Int) -> String) {
        owners = [:]
        let renamed = Self.settle(&names, source: source)
        renamedCount = renamed.count
        renamedExamples = Array(renamed.prefix(10))
    }

    /// Returns the names in a target that restricts names; nil if it accepts every name.
    func names(in kind: TargetKind, source: (Int) -> String) -> [String]? {
        guard let rule = kind.legalName else { return nil }
        var names = names.map { $0.isEmpty ? "" : rule.wanted($0) }
        Self.settle(&names, source: source)
        return names.map { rule.text($0) }
    }

    /// Adds suffixes to names that are not unique. Returns the indices of the changed names.
    @discardableResult
    private static func settle(_ names: inout [String], source: (Int) -> String) -> [Int] {
        // Whether several items want a name. A name that one item wants or has is taken.
        var isContested: [String: Bool] = [:]
        for name in names where !name.isEmpty {
            let folded = TextForm.folded(name)
            isContested[folded] = isContested[folded] != nil
        }
        var changed: [Int] = []
        for index in names.indices
        where !names[index].isEmpty && isContested[TextForm.folded(names[index])] == true {
            changed.append(index)
        }
        for index in changed {
            let suffix = "-\(ItemName.hash(of: source(index)))"
            var name = ItemName.suffixed(names[index], suffix)
            var number = 1
            while isContested[TextForm.folded(name)] == false {
                number += 1
                name = ItemName.suffixed(names[index], "\(suffix)-\(number)")
            }
            isContested[TextForm.folded(name)] = false
            names[index] = name
        }
        return changed
    }
}

/// Unicode normalization for comparing and writing names.
package enum TextForm {
    private static let lacking = Atomic(false)

    /// Whether GLib was needed but is not installed, so that non-ASCII names stayed unchanged.
    static var isLacking: Bool { lacking.load(ordering: .relaxed) }

    /// Returns the text in NFC, with one spelling for each letter and its marks.
    static func composed(_ text: String) -> String {
        if isASCII(text) { return text }
        return unsafe through(text) { text, length in
            unsafe g_utf8_normalize(text, length, G_NORMALIZE_DEFAULT_COMPOSE)
        }
    }

    /// Returns the same text for texts that differ only in case or normalization.
    package static func folded(_ text: String) -> String {
        if isASCII(text) { return text.lowercased() }
        let folded = unsafe through(text) { text, length in unsafe g_utf8_casefold(text, length) }
        return composed(folded)
    }

    static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    /// GLib stops at a NUL; callers have none in their text.
    private static func through(
        _ text: String, _ form: (UnsafePointer<CChar>, Int) -> UnsafeMutablePointer<CChar>?
    ) -> String {
        unsafe text.withCString { pointer in
            guard let result = unsafe form(pointer, text.utf8.count) else {
                lacking.store(true, ordering: .relaxed)
                return text
            }
            defer { unsafe g_free(result) }
            return unsafe String(cString: result)
        }
    }
}
