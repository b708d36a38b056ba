import Transport

/// The pattern after which outputs are named.
///
/// Placeholders: `{id}`, `{layout}`, `{scale}` (`1`, `1.5`), `{@scale}` (nothing at scale 1, else
/// `@2x`), `{height}` (pixels), `{ext}`, `{scheme}` (`light` or `dark`) and `{hash}`, the first
/// eight hexadecimal digits of the SHA-256 of the source as listed: it is known before
/// anything is fetched, which the digest of a picture is not.
package struct NameTemplate: Hashable, Sendable {
    enum Part: Hashable {
        case text(String)
        case id, layout, scale, scaleMark, height, fileExtension, hash, scheme
        /// `~dark`, or nothing; only the standard template has it.
        case schemeMark

        init?(placeholder: Substring) {
            switch placeholder {
            case "id": self = .id
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

    /// `<layout>/<id>[~dark][@2x].<ext>`
    package static let standard = NameTemplate(parts: [
        .layout, .text("/"), .id, .schemeMark, .scaleMark, .text("."), .fileExtension,
    ])

    private init(parts: [Part]) {
        self.parts = parts
    }

    /// Reads a template and refuses one whose names could leave the output folder, or meet our own
    /// files in it.
    package init(_ text: String) throws(PlanError) {
        var parts: [Part] = []
        var rest = text[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            guard rest[brace] == "{", let close = rest[brace...].firstIndex(of: "}") else {
                throw .name("a brace has no partner in \(text)")
            }
            let name = rest[rest.index(after: brace)..<close]
            guard let part = Part(placeholder: name) else {
                throw .name(
                    "there is no {\(name)}; there are {id} {layout} {scale} {@scale} {height} {ext} "
                        + "{hash} {scheme}")
            }
            parts.append(part)
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
        try checkShape(text)
    }

    private func checkShape(_ text: String) throws(PlanError) {
        guard parts.contains(.id) else {
            throw .name("\(text) lacks {id}; two items would share a name")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .name("\(text) holds a control character")
        }
        let longestID = String(repeating: "x", count: ItemName.bytesLimit)
        let longest = NameVariant(
            layout: "xLarge", scale: 1.5, scheme: "dark", height: 99_999, fileExtension: "webp")
        let name = fill(longest, id: longestID, hash: "00000000")
        guard let path = RelativePath(name) else {
            throw .name("\(text) does not lead to a file in the output folder, or is too long")
        }
        guard path.components.first != OutputFolder.ownName else {
            throw .name("\(OutputFolder.ownName) is kept for the run's own files")
        }
    }

    /// The path of one output; nil only if a part handed in holds a slash or the like.
    package func path(
        id: String, layout: String, scale: Double, height: Int, fileExtension: String,
        scheme: String, source: String
    ) -> RelativePath? {
        let variant = NameVariant(
            layout: layout, scale: scale, scheme: scheme, height: height,
            fileExtension: fileExtension)
        let hash = parts.contains(.hash) ? ItemName.hash(of: source) : ""
        return RelativePath(fill(variant, id: id, hash: hash))
    }

    func fill(_ variant: NameVariant, id: String, hash: String) -> String {
        var name = ""
        for part in parts {
            switch part {
            case .text(let text): name += text
            case .id: name += id
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

/// What tells the outputs of one item apart.
package struct NameVariant: Hashable, Sendable {
    package var layout: String
    package var scale: Double
    package var scheme: String
    /// Pixels.
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

    /// Without a fraction where it is whole.
    var scaleText: String {
        if let whole = Int(exactly: scale) { return String(whole) }
        return scale.description
    }
}
