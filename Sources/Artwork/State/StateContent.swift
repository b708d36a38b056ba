import Codecs
import Notation
import System

package struct StateContent: Sendable {
    package struct Button: Hashable, Sendable {
        package var title: String
        /// The space on each side of a button of full width; nil makes the button as wide as its
        /// title.
        package var horizontalSpacers: Double?
        /// The target of the link on a page; nil makes a button without a link.
        package var link: String?

        package init(title: String, horizontalSpacers: Double? = nil, link: String? = nil) {
            self.title = title
            self.horizontalSpacers = horizontalSpacers
            self.link = link
        }

        /// The link, unless a browser would run it as a program.
        var safeLink: String? { link.flatMap { Self.runsProgram($0) ? nil : $0 } }

        /// Returns whether a link has a scheme whose text a browser runs. Browsers ignore blanks
        /// and control characters in front of a scheme, and line breaks and tabs in it.
        package static func runsProgram(_ link: String) -> Bool {
            let text = String(decoding: link.utf8.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
            return ["javascript:", "vbscript:", "data:"].contains { text.hasPrefix($0) }
        }

        /// Whether the button reaches the edges of the block. Round corners would then look cut
        /// off.
        var touchesEdges: Bool { horizontalSpacers.map { $0 <= 0 } ?? false }
    }

    package static let buttonsLimit = 3

    package var icon: StateGraphic?
    package var animation: StateAnimation?
    package var title: String
    package var subtitle: String
    /// The buttons; buttons after the third are ignored.
    package var buttons: [Button]
    /// The name of an SVG for screen readers; nil takes the title.
    package var label: String?
    /// The description of an SVG for screen readers, in addition to the texts.
    package var summary: String?

    package init(
        icon: StateGraphic? = nil, animation: StateAnimation? = nil, title: String = "",
        subtitle: String = "", buttons: [Button] = []
    ) {
        self.icon = icon
        self.animation = animation
        self.title = title
        self.subtitle = subtitle
        self.buttons = buttons
    }

    package init(_ kind: StateKind, texts: StateTexts = StateTexts()) {
        self.init(
            icon: .icon(kind.icon), title: texts[kind, .title] ?? "",
            subtitle: texts[kind, .subtitle] ?? "",
            buttons: texts[kind, .button].map { [Button(title: $0)] } ?? [])
    }
}

package enum StateKind: String, CaseIterable, Hashable, Sendable {
    case loadingFailure = "loading-failure"
    case noConnection = "no-connection"
    case noResults = "no-results"
    /// Any other state, for example success.
    case generic

    package var icon: BuiltInIcon {
        switch self {
        case .loadingFailure: .warning
        case .noConnection: .wifiOff
        case .noResults: .searchOff
        case .generic: .check
        }
    }
}

package enum StateGraphic: Sendable {
    /// A built-in icon on a round plate.
    case icon(BuiltInIcon)
    /// A vector drawing; a template is drawn in the colour of built-in icons.
    case drawing(SketchDrawing)
    case picture(SketchPicture)
}

/// An animated picture: pages play it, pictures show its first frame.
package struct StateAnimation: Sendable {
    package let still: StateGraphic
    package let bytes: [UInt8]
    package let mediaType: String

    /// Creates an animation from its file and its first frame.
    package init(still: StateGraphic, bytes: [UInt8], format: ImageFormat) {
        self.still = still
        self.bytes = bytes
        mediaType = format.mediaType
    }
}

/// The words of the predefined states, built in or from a strings file.
package struct StateTexts: Hashable, Sendable {
    package enum Part: String, CaseIterable, Hashable, Sendable {
        case title = "Title"
        case subtitle = "Subtitle"
        case button = "Button"
    }

    private var overrides: [String: String]

    /// Overrides words by key, such as `stateView.noResultsTitle`; unknown keys are ignored.
    package init(_ overrides: [String: String] = [:]) {
        self.overrides = overrides
    }

    package subscript(kind: StateKind, part: Part) -> String? {
        guard let key = Self.key(kind, part) else { return nil }
        return self[key: key]
    }

    package subscript(key key: String) -> String? { overrides[key] ?? Self.english[key] }

    /// Returns the key of a part in a strings file, or nil for the generic state, which has no
    /// words.
    package static func key(_ kind: StateKind, _ part: Part) -> String? {
        switch kind {
        case .loadingFailure: "stateView.loadingFailure" + part.rawValue
        case .noConnection: "stateView.noConnection" + part.rawValue
        case .noResults: "stateView.noResults" + part.rawValue
        case .generic: nil
        }
    }

    private static let english = [
        "stateView.loadingFailureTitle": "Couldn't load page",
        "stateView.loadingFailureSubtitle": "Something went wrong",
        "stateView.loadingFailureButton": "Try again",
        "stateView.noConnectionTitle": "No internet connection",
        "stateView.noConnectionSubtitle": "It seems that you're not online",
        "stateView.noConnectionButton": "Try again",
        "stateView.noResultsTitle": "No results to show",
        "stateView.noResultsSubtitle": "We couldn't find anything to show here",
    ]
}

package struct StringsError: Error, Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let reason: String

    package var description: String { "line \(line): \(reason)" }
}

/// A file of words by key: JSON, flat or nested.
package enum StringsFile {
    package static let bytesLimit = 1 << 20

    package static func read(_ bytes: [UInt8]) throws(StringsError) -> [String: String] {
        let limits = JSONLimits(bytes: bytesLimit * 2, depth: 16, values: 50_000)
        let root = try rethrowing(JSONParser.document(bytes.span, limits: limits).root) {
            (error: JSONError) in
            StringsError(line: error.line, reason: "\(error.reason)")
        }
        guard case .object = root else {
            throw StringsError(line: 1, reason: "the texts are not a JSON object")
        }
        var words: [String: String] = [:]
        flatten(root, path: "", into: &words)
        return words
    }

    private static func flatten(_ value: JSON, path: String, into words: inout [String: String]) {
        if let text = value.stringValue {
            words[path] = text
        } else if case .object(let members) = value {
            for member in members {
                let path = path.isEmpty ? member.name : "\(path).\(member.name)"
                flatten(member.value, path: path, into: &words)
            }
        }
    }
}
