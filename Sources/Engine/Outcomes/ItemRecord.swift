import Artwork
import Digest
import Notation
import Raster
import Render
import Theming
import Transport

/// The result of an item: its own image, a placeholder, no output, or stopped.
package enum ItemStatus: String, Sendable, Hashable, CaseIterable {
    case ok, placeholder, failed, canceled
}

/// The properties of the source bytes, as the manifest has them.
package struct SourceRecord: Sendable, Hashable {
    package var bytes: Int
    package var sha256: String
    /// The properties in the image header; nil if no header could be read.
    package var header: Header?

    package struct Header: Sendable, Hashable {
        package var format: String
        package var width: Int
        package var height: Int
        package var orientation: Int
        package var hasAlpha: Bool
    }
}

/// The properties of one output file, as the manifest has them.
package struct OutputRecord: Sendable, Hashable {
    package var path: String
    /// The name of the output target; nil for plain files.
    package var target: String?
    /// Whether the path is relative to the target's own folder instead of OUT.
    package var isElsewhere = false
    package var layout: String
    package var scale: Double
    package var isDark: Bool
    package var width: Int
    package var height: Int
    package var bytes: Int
    package var sha256: String
    /// Whether it shows the placeholder, next to outputs of the item that show its source.
    package var isPlaceholder = false
    /// The modification time of the file in nanoseconds since 1970. It is written to the journal,
    /// but not to the manifest.
    package var modified: Int64 = 0

    package init(
        path: String, layout: String, scale: Double, isDark: Bool, width: Int, height: Int,
        bytes: Int, sha256: String
    ) {
        self.path = path
        self.layout = layout
        self.scale = scale
        self.isDark = isDark
        self.width = width
        self.height = height
        self.bytes = bytes
        self.sha256 = sha256
    }

    /// - Parameter digest: The digest of the bytes, if it is known.
    package init(_ image: RenderedImage, path: String, digest: String? = nil) {
        self.init(
            path: path, layout: image.variant.layout.name, scale: image.variant.scale,
            isDark: image.variant.scheme == .dark, width: image.size.width,
            height: image.size.height, bytes: image.bytes.count,
            sha256: digest ?? SHA256.hash(image.bytes.span).hex)
        isPlaceholder = image.isPlaceholder
    }

    /// Whether the output shows this variant, in any format.
    package func shows(_ variant: Variant) -> Bool {
        layout == variant.layout.name && scale == variant.scale
            && isDark == (variant.scheme == .dark)
    }

    /// Whether the two outputs have the same path in the same folder.
    package func isPlaced(like other: OutputRecord) -> Bool {
        path == other.path && target == other.target && isElsewhere == other.isElsewhere
    }
}

/// The texts of an item for screen readers.
package struct Accessibility: Sendable, Hashable {
    package var label: String?
    package var hint: String?
    package var value: String?

    package init(label: String? = nil, hint: String? = nil, value: String? = nil) {
        self.label = label
        self.hint = hint
        self.value = value
    }

    package var isEmpty: Bool { label == nil && hint == nil && value == nil }
}

/// The result of one item: one line of the manifest.
package struct ItemRecord: Sendable, Equatable {
    package var index: Int
    /// The number of its row in its list, 1 for the first.
    package var row: Int?
    /// The id from the row, or else the name.
    package var id: String
    /// The base name of its output files.
    package var name: String
    package var source: String
    /// The line of its row in the list, if the row could not be used.
    package var line: Int?
    package var status: ItemStatus
    /// Whether the image comes from an earlier run or an expired cache entry. `failure` is then the
    /// reason why there is no fresh image.
    package var isStale = false
    package var placeholder: String?
    package var failure: ItemFailure?
    /// The source bytes that are shown, or that failed; nil if no bytes were loaded.
    package var src: SourceRecord?
    /// The source that dark outputs show, if they do not show `src`.
    package var srcDark: SourceRecord?
    package var outputs: [OutputRecord] = []
    package var accessibility = Accessibility()
    package var thumbHash: String?
    package var dominant: String?
    /// The analysis of the logo, if the look includes one.
    package var decision: LogoDecision?
    /// The possible problems of the image, such as a low contrast.
    package var lint: [PictureLint] = []
    /// The columns of its row that change the look.
    package var look = LookColumns()
    package var alternatives: [String] = []
    /// The sources for dark outputs, in the order in which they are tried.
    package var dark: [String] = []
    package var extra: [JSON.Member] = []

    package init(index: Int, id: String, name: String, source: String, status: ItemStatus) {
        self.index = index
        self.id = id
        self.name = name
        self.source = source
        self.status = status
    }

    /// The texts of all its sources, with masked secrets.
    package var sources: [String] { [source] + alternatives + dark }

    /// Copies the preview, the analysis of the logo, and the lint from a rendering.
    mutating func describe(_ rendering: Rendering?) {
        let preview = rendering?.preview
        thumbHash = preview.map { Base64.encode($0.thumbHash.span) }
        dominant = preview?.dominant?.hex
        decision = rendering?.decision
        lint = rendering?.lint ?? []
    }

    /// Writes the record as one JSON object, its keys always in the same order.
    ///
    /// - Parameters:
    ///   - key: The caller's key for a row of a stream.
    ///   - beginning: The first characters of an unusable row of a stream.
    package func write(
        into json: inout JSONWriter, key: JSON? = nil, beginning: String? = nil
    ) {
        json.object { json in
            json.member("type", "item")
            if let key { json.member("key", key) }
            if let beginning { json.member("beginning", beginning) }
            json.member("index", index)
            if let row { json.member("row", row) }
            json.member("id", id)
            json.member("name", name)
            json.member("source", source)
            if let line { json.member("line", line) }
            json.member("status", status.rawValue)
            if isStale { json.member("stale", true) }
            if let placeholder { json.member("placeholder", placeholder) }
            if let failure { failure.write(into: &json) }
            if let src { src.write("input", into: &json) }
            if let srcDark { srcDark.write("src_dark", into: &json) }
            json.array("outputs") { json in
                for output in outputs { output.write(into: &json) }
            }
            if !accessibility.isEmpty { accessibility.write(into: &json) }
            if let thumbHash { json.member("thumbhash", thumbHash) }
            if let dominant { json.member("dominant_color", dominant) }
            if !lint.isEmpty {
                json.array("lint") { json in
                    for lint in lint { lint.write(into: &json) }
                }
            }
            if !look.isEmpty {
                json.object("overrides") { json in
                    for (column, text) in zip(ListColumn.look, look.all) {
                        if let text { json.member(column.rawValue, text) }
                    }
                }
            }
            if let decision { json.object("look") { decision.write(into: &$0) } }
            if !alternatives.isEmpty {
                json.array("alternatives") { json in
                    for source in alternatives { json.write(source) }
                }
            }
            if !dark.isEmpty {
                json.array("dark") { json in
                    for source in dark { json.write(source) }
                }
            }
            if !extra.isEmpty {
                json.object("extra") { json in
                    for member in extra { json.member(member.name, member.value) }
                }
            }
        }
    }
}

extension ItemFailure {
    fileprivate func write(into json: inout JSONWriter) {
        json.object("error") { json in
            json.member("class", errorClass.rawValue)
            if let status { json.member("http_status", status) }
            json.member("stage", stage)
            json.member("message", message)
            json.member("retryable", isRetryable)
        }
    }
}

extension SourceRecord {
    fileprivate func write(_ name: String, into json: inout JSONWriter) {
        json.object(name) { json in
            if let header {
                json.member("format", header.format)
                json.member("width", header.width)
                json.member("height", header.height)
            }
            json.member("bytes", bytes)
            json.member("sha256", sha256)
            if let header {
                json.member("orientation", header.orientation)
                json.member("alpha", header.hasAlpha)
            }
        }
    }
}

extension OutputRecord {
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            if let target { json.member("target", target) }
            if isElsewhere { json.member("elsewhere", true) }
            json.member("layout", layout)
            json.member("scale", JSON.number(ofScale: scale))
            json.member("scheme", isDark ? "dark" : "light")
            json.member("width", width)
            json.member("height", height)
            json.member("bytes", bytes)
            json.member("sha256", sha256)
            if isPlaceholder { json.member("placeholder", true) }
        }
    }
}

extension Accessibility {
    fileprivate func write(into json: inout JSONWriter) {
        json.object("accessibility") { json in
            if let label { json.member("label", label) }
            if let hint { json.member("hint", hint) }
            if let value { json.member("value", value) }
        }
    }
}
