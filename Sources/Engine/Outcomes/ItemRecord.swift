import Artwork
import Digest
import Notation
import Raster
import Render
import Theming
import Transport

/// How an item ended.
package enum ItemStatus: String, Sendable, Hashable, CaseIterable {
    case ok, placeholder, failed, canceled
}

/// What is known of a source whose bytes were read.
package struct SourceRecord: Sendable, Hashable {
    package var bytes: Int
    package var sha256: String
    /// `nil` where no header could be read.
    package var header: Header?

    package struct Header: Sendable, Hashable {
        package var format: String
        package var width: Int
        package var height: Int
        package var orientation: Int
        package var hasAlpha: Bool
    }
}

/// One file that an item was turned into.
package struct OutputRecord: Sendable, Hashable {
    package var path: String
    /// Which of the run's outputs it belongs to; nil for plain files.
    package var target: String?
    /// The path starts in the folder that was named for those outputs, not in OUT.
    package var isElsewhere = false
    package var layout: String
    package var scale: Double
    package var isDark: Bool
    package var width: Int
    package var height: Int
    package var bytes: Int
    package var sha256: String
    /// The time that the file was left with, in nanoseconds since 1970; kept for the journal,
    /// never for the manifest.
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

    /// Of a picture under its name.
    ///
    /// - Parameter digest: of its bytes, where it is known.
    package init(_ image: RenderedImage, path: String, digest: String? = nil) {
        self.init(
            path: path, layout: image.variant.layout.name, scale: image.variant.scale,
            isDark: image.variant.scheme == .dark, width: image.size.width,
            height: image.size.height, bytes: image.bytes.count,
            sha256: digest ?? SHA256.hash(image.bytes.span).hex)
    }

    /// Both stand under one name.
    package func isPlaced(like other: OutputRecord) -> Bool {
        path == other.path && target == other.target && isElsewhere == other.isElsewhere
    }
}

/// What assistive technology is told of an item.
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

/// The manifest's line about one item.
package struct ItemRecord: Sendable, Equatable {
    package var index: Int
    /// The number of its row in its list, 1 for the first.
    package var row: Int?
    /// As its row has it, or else its name.
    package var id: String
    /// What its files are called by.
    package var name: String
    package var source: String
    /// The line of a list row that could not be used.
    package var line: Int?
    package var status: ItemStatus
    /// The picture is that of an earlier run, or of an old answer in the cache, since `failure`
    /// happened now.
    package var isStale = false
    package var placeholder: String?
    package var failure: ItemFailure?
    package var src: SourceRecord?
    package var outputs: [OutputRecord] = []
    package var accessibility = Accessibility()
    package var thumbHash: String?
    package var dominant: String?
    /// The backgrounds that were chosen for its picture.
    package var backgrounds: [BackgroundChoice] = []
    /// The decisions about its picture, where the look asked for them.
    package var decision: LogoDecision?
    /// What should be looked at.
    package var lint: [PictureLint] = []
    /// What its row says about the look.
    package var look = LookColumns()
    /// Its row's other sources.
    package var alternatives: [String] = []
    package var extra: [JSON.Member] = []
    /// Of which pictures that look alike have most bits in common; kept for the journal, never for
    /// the manifest.
    package var gradients: UInt64?

    package init(index: Int, id: String, name: String, source: String, status: ItemStatus) {
        self.index = index
        self.id = id
        self.name = name
        self.source = source
        self.status = status
    }

    /// Takes over what stands for the picture until it is loaded, and what was noticed of it.
    mutating func describe(_ rendering: Rendering?) {
        let preview = rendering?.preview
        thumbHash = preview.map { Base64.encode($0.thumbHash.span) }
        dominant = preview?.dominant?.hex
        gradients = preview?.gradients
        backgrounds = rendering?.backgrounds ?? []
        decision = rendering?.decision
        lint = rendering?.lint ?? []
    }

    /// Writes the record as one JSON object, its keys always in the same order.
    ///
    /// - Parameters:
    ///   - key: what the caller of a stream calls it.
    ///   - beginning: the first characters of a row of a stream that cannot be used.
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
            if let src { src.write(into: &json) }
            json.array("outputs") { json in
                for output in outputs { output.write(into: &json) }
            }
            if !accessibility.isEmpty { accessibility.write(into: &json) }
            if let thumbHash { json.member("thumbhash", thumbHash) }
            if let dominant { json.member("dominant_color", dominant) }
            if !backgrounds.isEmpty {
                json.object("background") { json in
                    for choice in backgrounds { choice.write(into: &json) }
                }
            }
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
    fileprivate func write(into json: inout JSONWriter) {
        json.object("input") { json in
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
        }
    }
}

extension BackgroundChoice {
    fileprivate func write(into json: inout JSONWriter) {
        json.object(scheme.rawValue) { json in
            json.member("appearance", appearance.rawValue)
            json.member("colors", colors.rawValue)
            json.member("reason", reason.rawValue)
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
