import Gauge
import Notation
import Raster
import Render
import Theming
import Transport

extension ItemRecord {
    /// Reads a record fast, if its bytes are exactly those that `write` produces; otherwise throws.
    /// Records of other builds or programs are read with `init?(_: JSON)`.
    ///
    /// - Parameter detail: The detail of the failure, which the journal stores next to the record;
    ///   never empty.
    package init(_ json: inout WrittenJSON, detail: String?) throws(WrittenJSON.Otherwise) {
        try json.beginObject()
        guard try json.string("type") == "item" else { throw WrittenJSON.Otherwise() }
        let index = try json.int("index")
        let row = json.has("row") ? try json.int() : nil
        let id = try json.string("id")
        let name = try json.string("name")
        let source = try json.string("source")
        let line = json.has("line") ? try json.int() : nil
        try json.name("status")
        self.init(index: index, id: id, name: name, source: source, status: try json.word())
        self.row = row
        self.line = line
        if json.has("stale") {
            isStale = try json.bool()
            guard isStale else { throw WrittenJSON.Otherwise() }
        }
        if json.has("placeholder") { placeholder = try json.string() }
        if json.has("error") {
            failure = try ItemFailure(&json, detail: detail)
        } else if detail != nil {
            throw WrittenJSON.Otherwise()
        }
        if json.has("input") { src = try SourceRecord(&json) }
        if json.has("src_dark") { srcDark = try SourceRecord(&json) }
        try json.name("outputs")
        try json.beginArray()
        while try json.nextElement() { outputs.append(try OutputRecord(&json)) }
        if json.has("accessibility") { accessibility = try Accessibility(&json) }
        if json.has("thumbhash") { thumbHash = try json.string() }
        if json.has("dominant_color") { dominant = try json.string() }
        if json.has("lint") {
            try json.beginArray()
            while try json.nextElement() { lint.append(try PictureLint(&json)) }
            guard !lint.isEmpty else { throw WrittenJSON.Otherwise() }
        }
        if json.has("overrides") { look = try LookColumns(&json) }
        if json.has("look") { decision = try LogoDecision(&json) }
        if json.has("alternatives") { alternatives = try json.texts() }
        if json.has("dark") { dark = try json.texts() }
        if json.has("extra") {
            guard let members = try json.value().members, !members.isEmpty else {
                throw WrittenJSON.Otherwise()
            }
            extra = members
        }
        try json.endObject()
    }

    /// Whether both records are written as the same bytes.
    package func isWritten(like other: ItemRecord) -> Bool {
        guard self == other, id.isSpelt(like: other.id), name.isSpelt(like: other.name),
            source.isSpelt(like: other.source)
        else { return false }
        return zip(rareTexts, other.rareTexts).allSatisfy { $0.isSpelt(like: $1) }
    }

    /// The texts that most records lack. They come from the row or from a failure.
    private var rareTexts: [String] {
        var texts = alternatives + dark
        if let failure { texts.append(failure.detail) }
        if !accessibility.isEmpty {
            texts += [accessibility.label, accessibility.hint, accessibility.value].compactMap {
                $0
            }
        }
        if !look.isEmpty { texts += look.all.compactMap { $0 } }
        for member in extra { texts += [member.name, member.value.text] }
        return texts
    }
}

extension String {
    /// Whether the two strings have the same bytes. Swift also treats two strings as equal if one
    /// stores an accented letter as one scalar, and the other as a letter and an accent.
    fileprivate func isSpelt(like other: String) -> Bool { Array(utf8) == Array(other.utf8) }
}

extension WrittenJSON {
    fileprivate mutating func word<Word: RawRepresentable<String>>() throws(Otherwise) -> Word {
        guard let word = Word(rawValue: try string()) else { throw Otherwise() }
        return word
    }

    /// Reads an array of strings that is not empty.
    mutating func texts() throws(Otherwise) -> [String] {
        var texts: [String] = []
        try beginArray()
        while try nextElement() { texts.append(try string()) }
        guard !texts.isEmpty else { throw Otherwise() }
        return texts
    }
}

extension ItemFailure {
    fileprivate init(
        _ json: inout WrittenJSON, detail: String?
    ) throws(WrittenJSON.Otherwise) {
        try json.beginObject()
        try json.name("class")
        let errorClass: ErrorClass = try json.word()
        let status = json.has("http_status") ? try json.int() : nil
        try json.name("stage")
        let stage: RunStage = try json.word()
        let message = try json.string("message")
        try json.name("retryable")
        self.init(
            errorClass, stage: stage, detail: detail ?? "", status: status,
            isRetryable: try json.bool())
        try json.endObject()
        guard self.message.isSpelt(like: message), self.detail.isSpelt(like: detail ?? "") else {
            throw WrittenJSON.Otherwise()
        }
    }
}

extension PictureLint {
    fileprivate init(_ json: inout WrittenJSON) throws(WrittenJSON.Otherwise) {
        try json.beginObject()
        try json.name("code")
        let kind: Kind = try json.word()
        switch kind {
        case .upscaled:
            let layout = try json.string("layout")
            try json.name("scale")
            self = .upscaled(layout: layout, scale: try json.scale())
        case .lowContrast:
            try json.name("scheme")
            self = .lowContrast(try json.word())
        default:
            guard let lint = PictureLint(text: kind.rawValue) else { throw WrittenJSON.Otherwise() }
            self = lint
        }
        try json.endObject()
    }
}

extension SourceRecord {
    fileprivate init(_ json: inout WrittenJSON) throws(WrittenJSON.Otherwise) {
        try json.beginObject()
        let format = json.has("format") ? try json.string() : nil
        let (width, height) =
            format == nil ? (0, 0) : (try json.int("width"), try json.int("height"))
        self.init(bytes: try json.int("bytes"), sha256: try json.string("sha256"), header: nil)
        if let format {
            let orientation = try json.int("orientation")
            try json.name("alpha")
            header = Header(
                format: format, width: width, height: height, orientation: orientation,
                hasAlpha: try json.bool())
        }
        try json.endObject()
    }
}

extension OutputRecord {
    fileprivate init(_ json: inout WrittenJSON) throws(WrittenJSON.Otherwise) {
        try json.beginObject()
        let path = try json.string("path")
        let target = json.has("target") ? try json.string() : nil
        let isElsewhere = json.has("elsewhere")
        if isElsewhere, try !json.bool() { throw WrittenJSON.Otherwise() }
        let layout = try json.string("layout")
        try json.name("scale")
        let scale = try json.scale()
        try json.name("scheme")
        let scheme: ColorScheme = try json.word()
        self.init(
            path: path, layout: layout, scale: scale, isDark: scheme == .dark,
            width: try json.int("width"), height: try json.int("height"),
            bytes: try json.int("bytes"), sha256: try json.string("sha256"))
        isPlaceholder = json.has("placeholder")
        if isPlaceholder, try !json.bool() { throw WrittenJSON.Otherwise() }
        try json.endObject()
        self.target = target
        self.isElsewhere = isElsewhere
    }
}

extension Accessibility {
    fileprivate init(_ json: inout WrittenJSON) throws(WrittenJSON.Otherwise) {
        try json.beginObject()
        self.init(
            label: json.has("label") ? try json.string() : nil,
            hint: json.has("hint") ? try json.string() : nil,
            value: json.has("value") ? try json.string() : nil)
        try json.endObject()
        guard !isEmpty else { throw WrittenJSON.Otherwise() }
    }
}

extension LookColumns {
    fileprivate init(_ json: inout WrittenJSON) throws(WrittenJSON.Otherwise) {
        self.init()
        var rest = ListColumn.look[...]
        try json.beginObject()
        while let name = try json.nextName() {
            guard let index = rest.firstIndex(where: { $0.rawValue == name }) else {
                throw WrittenJSON.Otherwise()
            }
            self[rest[index]] = try json.string()
            rest = rest[(index + 1)...]
        }
        guard !isEmpty else { throw WrittenJSON.Otherwise() }
    }
}
