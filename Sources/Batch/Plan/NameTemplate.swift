import Artwork
import Codecs
import Engine
import Raster
import Render
import Targets
import Theming
import Transport

/// The pattern for the names of outputs.
///
/// Placeholders: `{id}`, with a slash for each folder that the source was found in; its two parts
/// `{dir}` and `{stem}`; `{layout}`, `{scale}` (`1`, `1.5`), `{@scale}` (nothing at scale 1, else
/// `@2x`), `{height}` (pixels), `{ext}`, `{scheme}` (`light` or `dark`) and `{hash}`. The hash
/// is the first eight hexadecimal digits of the SHA-256 of the source path
/// or URL. Unlike a digest of the picture, it is known before anything is fetched.
package struct NameTemplate: Hashable, Sendable {
    enum Part: Hashable {
        case text(String)
        case name, folders, stem, layout, scale, scaleMark, height, fileExtension, hash,
            scheme
        /// `~dark`, or nothing; only in the standard template.
        case schemeMark

        /// The literal text, if the part is one.
        var text: String? {
            if case .text(let text) = self { text } else { nil }
        }

        init?(placeholder: Substring) {
            switch placeholder {
            case "id": self = .name
            case "dir": self = .folders
            case "stem": self = .stem
            case "layout": self = .layout
            case "scale": self = .scale
            case "@scale": self = .scaleMark
            case "height": self = .height
            case "ext": self = .fileExtension
            case "hash": self = .hash
            case "scheme": self = .scheme
            default: return nil
            }
        }
    }

    let parts: [Part]

    /// The default template: `<layout>/<name>[~dark][@2x].<ext>`.
    package static let standard = NameTemplate(parts: [
        .layout, .text("/"), .name, .schemeMark, .scaleMark, .text("."),
        .fileExtension,
    ])

    private init(parts: [Part]) {
        self.parts = parts
    }

    /// Parses a template. Refuses one whose names could leave the output folder, or collide with
    /// the run's own files.
    package init(_ text: String) throws(PlanError) {
        var parts: [Part] = []
        var rest = text[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            guard rest[brace] == "{", let close = rest[brace...].firstIndex(of: "}") else {
                throw .name("a brace is not closed in \(text)")
            }
            let name = rest[rest.index(after: brace)..<close]
            guard let part = Part(placeholder: name) else {
                throw .name(
                    "unknown field {\(name)}; use {id} {dir} {stem} {layout} {scale} {@scale} "
                        + "{height} {ext} {hash} {scheme}")
            }
            parts.append(part)
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
        try checkShape(text)
    }

    private func checkShape(_ text: String) throws(PlanError) {
        guard parts.contains(.name) || parts.contains(.folders) && parts.contains(.stem) else {
            throw .name(
                "\(text) must contain {id}, or {dir} and {stem}; otherwise items overwrite each other"
            )
        }
        for (index, part) in parts.enumerated() where part == .folders {
            guard index == 0 || parts[index - 1].text?.hasSuffix("/") == true,
                index + 1 < parts.count, parts[index + 1].text?.hasPrefix("/") == true
            else { throw .name("{dir} needs a / on each side, as in {layout}/{dir}/{stem}.{ext}") }
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .name("\(text) contains a control character")
        }
        let longestName = String(repeating: "x", count: ItemName.bytesLimit)
        for scale in [1, 1.5] {
            let longest = NameVariant(
                layout: "xLarge", scale: scale, scheme: "dark", height: 99_999,
                fileExtension: "webp")
            let name = fill(longest, name: longestName, hash: "00000000")
            guard let path = RelativePath(name) else {
                throw .name(
                    "\(text) is not the path of a file in the output folder, or is too long")
            }
            if let first = path.components.first, Self.isReserved(first.lowercased()) {
                throw .name("\(first) is reserved for the files of the run")
            }
        }
    }

    /// Returns the path of one output; nil only if an argument contains a slash or another invalid
    /// character.
    package func path(
        name: String, layout: String, scale: Double, height: Int,
        fileExtension: String, scheme: String, source: @autoclosure () -> String
    ) -> RelativePath? {
        let variant = NameVariant(
            layout: layout, scale: scale, scheme: scheme, height: height,
            fileExtension: fileExtension)
        let hash = parts.contains(.hash) ? ItemName.hash(of: source()) : ""
        let path = fill(variant, name: name, hash: hash)
        return RelativePath(parts.first == .layout ? path : Self.avoidingReserved(path))
    }

    /// Whether a run writes a file of this lower-case name at the top of its folder.
    private static func isReserved(_ name: String) -> Bool {
        name == OutputFolder.ownName || RunFile.isName(name)
    }

    /// Returns the path with a first part that differs from the run's own files.
    private static func avoidingReserved(_ path: String) -> String {
        let end = path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
        return ReservedName.avoiding(path[..<end], where: isReserved) + path[end...]
    }

    func fill(_ variant: NameVariant, name item: String, hash: String) -> String {
        var name = ""
        // If the item has no folders, the slash after `{dir}` is left out too.
        var isWithoutFolders = false
        for part in parts {
            switch part {
            case .text(let text):
                name += isWithoutFolders ? String(text.dropFirst()) : text
                isWithoutFolders = false
            case .name: name += item
            case .folders:
                name += ItemName.folders(of: item)
                isWithoutFolders = !item.utf8.contains(UInt8(ascii: "/"))
            case .stem: name += ItemName.ownPart(of: item)
            case .layout: name += variant.layout
            case .scale: name += variant.scaleText
            case .scaleMark: name += variant.scale == 1 ? "" : "@\(variant.scaleText)x"
            case .height: name += String(variant.height)
            case .fileExtension: name += variant.fileExtension
            case .hash: name += hash
            case .scheme: name += variant.scheme
            case .schemeMark: name += variant.scheme == "dark" ? "~dark" : ""
            }
        }
        return name
    }
}

/// The properties that distinguish the outputs of one item.
package struct NameVariant: Hashable, Sendable {
    package var layout: String
    package var scale: Double
    package var scheme: String
    /// The height in pixels.
    package var height: Int
    package var fileExtension: String

    package init(
        layout: String, scale: Double, scheme: String, height: Int, fileExtension: String
    ) {
        self.layout = layout
        self.scale = scale
        self.scheme = scheme
        self.height = height
        self.fileExtension = fileExtension
    }

    /// The scale without a fraction if it is whole.
    var scaleText: String {
        if let whole = Int(exactly: scale) { return String(whole) }
        return scale.description
    }
}

extension NameTemplate {
    /// Refuses a template whose extension belongs to another format than the pictures.
    ///
    /// - Parameter written: The extensions of the pictures; nil if each picture keeps the format of
    ///   its source.
    package func checkExtension(_ written: [String]?) throws(PlanError) {
        guard let literal = pictureExtension else { return }
        guard let written else {
            throw .name(
                "it ends with .\(literal), but --format same keeps the format of each source; end "
                    + "it with .{ext}")
        }
        let format = OutputFormat.named(literal.lowercased())
        guard let other = written.first(where: { $0 != format?.fileExtension }) else { return }
        let choice = format.map { ", or use --format \($0.name)" } ?? ""
        throw .name(
            "it ends with .\(literal), but the outputs are \(other); end it with "
                + ".{ext}\(choice)")
    }

    private var pictureExtension: String? {
        guard let text = parts.last?.text, let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")),
            PictureName.hasPictureExtension("x\(text)")
        else { return nil }
        return String(text[text.utf8.index(after: dot)...])
    }
}

extension NameTemplate {
    /// Refuses the template if two outputs of a run over these variants could get the same name,
    /// and suggests a placeholder that separates them.
    package func check(_ variants: [NameVariant]) throws(PlanError) {
        let shapes = variants.map { shape(of: $0) }
        var missing: Set<Part> = []
        var isAmbiguous = false
        for (index, variant) in variants.enumerated() {
            for earlier in variants.indices.prefix(index)
            where canMeet(shapes[earlier], shapes[index]) {
                isAmbiguous = true
                missing.formUnion(fields(between: variants[earlier], variant))
            }
        }
        guard isAmbiguous else { return }
        let names = Self.separators.filter { missing.contains($0.part) }.map(\.field)
        guard let last = names.last else {
            throw .name("two outputs could get the same name; put / or @ between the fields")
        }
        let list = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "")
        throw .name(
            "two outputs of an item would get the same name; add \(list)\(last), as in "
                + Self.example(for: variants))
    }

    /// A path in lower case: `stem` is text without a slash, `folders` is text that may contain
    /// slashes, and `digit` is one digit of a hash.
    private typealias Shape = [UInt8]
    private static let (stem, digit, folders): (UInt8, UInt8, UInt8) = (0, 1, 2)
    private static let slash = UInt8(ascii: "/")

    private func shape(of variant: NameVariant) -> Shape {
        let hash = String(repeating: "\u{1}", count: 8)
        let filled = fill(variant, name: "\u{2}/\u{0}", hash: hash).lowercased()
        return Array(filled.replacing("\u{2}/\u{0}", with: "\u{2}").utf8)
    }

    /// Whether two item names exist that give both variants the same path. Compares the parts
    /// between slashes, from the end up to a part with folders, and then the whole paths.
    private func canMeet(_ one: Shape, _ other: Shape) -> Bool {
        var parts = (one.split(separator: Self.slash)[...], other.split(separator: Self.slash)[...])
        while let left = parts.0.last, let right = parts.1.last {
            if left.contains(Self.folders) || right.contains(Self.folders) { break }
            guard partsCanMeet(Array(left), Array(right)) else { return false }
            parts = (parts.0.dropLast(), parts.1.dropLast())
        }
        return partsCanMeet(one, other)
    }

    /// Returns the text before the first and after the last part that comes from the name of an
    /// item.
    private func surroundings(_ shape: Shape) -> (before: [UInt8], after: [UInt8]) {
        let isOfName: (UInt8) -> Bool = { $0 == Self.stem || $0 == Self.folders }
        guard let first = shape.firstIndex(where: isOfName),
            let last = shape.lastIndex(where: isOfName)
        else { return (shape, []) }
        return (Array(shape[..<first]), Array(shape[(last + 1)...]))
    }

    /// Whether two item names exist that make both parts equal. Of the two texts before the name,
    /// the longer one must start with the shorter one; of the two texts after it, the longer one
    /// must end with the shorter one. The surplus must be valid in a name.
    private func partsCanMeet(_ one: Shape, _ other: Shape) -> Bool {
        let isLiteral = !(one + other).contains { $0 == Self.stem || $0 == Self.folders }
        if isLiteral, one.count != other.count { return false }
        let (one, other) = (surroundings(one), surroundings(other))
        guard let before = surplus(one.before, other.before),
            let after = surplus(one.after.reversed(), other.after.reversed())
        else { return false }
        return (before + after).allSatisfy { byte in
            switch byte {
            case Self.digit, Self.slash, 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...0xFF:
                true
            default: false
            }
        }
    }

    /// Returns the rest of the longer text if both agree over the length of the shorter one. A
    /// digit of a hash agrees with any digit.
    private func surplus(_ one: [UInt8], _ other: [UInt8]) -> ArraySlice<UInt8>? {
        let shared = min(one.count, other.count)
        let agree = zip(one, other).allSatisfy { left, right in
            left == right || left == Self.digit && isDigit(right)
                || right == Self.digit && isDigit(left)
        }
        return agree ? one[shared...] + other[shared...] : nil
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// The fields that separate the outputs of an item, in the order of an example.
    private static let separators: [(part: Part, field: String)] = [
        (.layout, "{layout}"), (.scaleMark, "{@scale}"), (.scheme, "{scheme}"),
        (.fileExtension, "{ext}"),
    ]

    /// Returns the missing fields that would separate two outputs of an item.
    private func fields(between one: NameVariant, _ other: NameVariant) -> [Part] {
        func lacks(_ names: Part...) -> Bool { !names.contains(where: parts.contains) }
        var missing: [Part] = []
        if one.layout != other.layout, lacks(.layout) { missing.append(.layout) }
        if one.scale != other.scale, lacks(.scale, .scaleMark) { missing.append(.scaleMark) }
        if one.scheme != other.scheme, lacks(.scheme, .schemeMark) { missing.append(.scheme) }
        if one.fileExtension != other.fileExtension, lacks(.fileExtension) {
            missing.append(.fileExtension)
        }
        return missing
    }

    /// Returns a template that gives each of the variants another name.
    private static func example(for variants: [NameVariant]) -> String {
        func differ<Value: Hashable>(_ value: (NameVariant) -> Value) -> Bool {
            Set(variants.map(value)).count > 1
        }
        return (differ(\.layout) ? "{layout}/" : "") + "{id}"
            + (differ(\.scale) ? "{@scale}" : "") + (differ(\.scheme) ? "-{scheme}" : "")
            + ".{ext}"
    }
}

extension NameTemplate {
    package func path(of image: RenderedImage, _ item: BatchItem) throws(JobStop) -> RelativePath {
        let variant = image.variant
        let path = path(
            name: item.name, layout: variant.layout.name,
            scale: variant.scale, height: image.size.height,
            fileExtension: image.format.fileExtension,
            scheme: variant.scheme.rawValue, source: item.plainSource)
        guard let path else { throw .outside }
        return path
    }

    /// Returns the path of a picture before it is drawn.
    package func path(of picture: TargetPicture) -> RelativePath? {
        path(
            name: picture.item.name, layout: picture.variant.layout.name,
            scale: picture.variant.scale,
            height: picture.height,
            fileExtension: picture.fileExtension, scheme: picture.variant.scheme.rawValue,
            source: picture.item.plainSource)
    }

    static func parse(_ text: String?) throws(PlanError) -> NameTemplate {
        guard let text else { return .standard }
        return try NameTemplate(text)
    }
}
