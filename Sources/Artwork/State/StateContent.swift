import Codecs
import Raster

/// What a state view says and shows.
package struct StateContent: Sendable {
    /// One button; what it does is up to whoever shows it.
    package struct Button: Hashable, Sendable {
        package var title: String
        /// Full width with this much room at either side; nil is as wide as its title.
        package var horizontalSpacers: Double?
        /// Where a page leads; nil makes a button without a link.
        package var link: String?

        package init(title: String, horizontalSpacers: Double? = nil, link: String? = nil) {
            self.title = title
            self.horizontalSpacers = horizontalSpacers
            self.link = link
        }
    }

    package static let buttonsLimit = 3

    package var icon: StateGraphic?
    /// Shown instead of the icon.
    package var animation: StateAnimation?
    package var title: String
    package var subtitle: String
    /// At most three; more are left out.
    package var buttons: [Button]

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

    /// A ready-made state in the words of `texts`.
    package init(_ kind: StateKind, texts: StateTexts = StateTexts()) {
        self.init(
            icon: .icon(kind.icon), title: texts[kind, .title] ?? "",
            subtitle: texts[kind, .subtitle] ?? "",
            buttons: texts[kind, .button].map { [Button(title: $0)] } ?? [])
    }
}

/// The ready-made states.
package enum StateKind: String, CaseIterable, Hashable, Sendable {
    case loadingFailure = "loading-failure"
    case noConnection = "no-connection"
    case noResults = "no-results"
    /// Anything else, for example success.
    case generic

    /// The icon that comes with it.
    package var icon: BuiltInIcon {
        switch self {
        case .loadingFailure: .warning
        case .noConnection: .wifiOff
        case .noResults: .searchOff
        case .generic: .check
        }
    }
}

/// The picture of a state view, at rest.
package enum StateGraphic: Sendable {
    /// A built-in icon on a round plate.
    case icon(BuiltInIcon)
    /// A vector; a template takes the icon's colour.
    case drawing(SketchDrawing)
    case picture(SketchPicture)

    /// The first frame of any picture that can be read.
    package init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(ArtworkError) {
        let picture: Picture
        do throws(DecodeError) {
            let header = try ImageDecoder.header(of: bytes.span, limits: limits)
            try header.check(limits)
            // More than any graphic is drawn with: large pictures need not be held whole.
            let wanted = PixelSize(width: 1024, height: 1024)
            picture = try ImageDecoder.decode(
                bytes.span, header: header,
                request: DecodeRequest(limits: limits, neededSize: wanted))
        } catch {
            throw .drawing(error)
        }
        switch consume picture {
        case .raster(let pixels):
            self = .picture(SketchPicture(pixels))
        case .vector:
            self = .drawing(try SketchDrawing(svg: bytes, limits: limits))
        }
    }
}

/// A picture that moves where it can: pages play it, pictures show its first frame.
package struct StateAnimation: Sendable {
    package let still: StateGraphic
    /// The file as it is.
    package let bytes: [UInt8]
    /// What a page calls its format.
    package let mediaType: String

    /// Reads an animated WebP, GIF, PNG or SVG; a file with one frame is an animation at rest.
    package init(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws(ArtworkError) {
        let format: ImageFormat
        do throws(DecodeError) {
            format = try ImageDecoder.header(of: bytes.span, limits: limits).format
        } catch {
            throw .drawing(error)
        }
        still = try StateGraphic(bytes, limits: limits)
        self.bytes = bytes
        mediaType = format.mediaType
    }

    /// An animation whose first frame was decoded elsewhere.
    package init(still: StateGraphic, bytes: [UInt8], format: ImageFormat) {
        self.still = still
        self.bytes = bytes
        mediaType = format.mediaType
    }
}

/// The words of the ready-made states, ours or those of a strings file.
package struct StateTexts: Hashable, Sendable {
    /// A part of a state that has words.
    package enum Part: String, CaseIterable, Hashable, Sendable {
        case title = "Title"
        case subtitle = "Subtitle"
        case button = "Button"
    }

    private var overrides: [String: String]

    /// Words by key, as in `stateView.noResultsTitle`; other keys are of no concern.
    package init(_ overrides: [String: String] = [:]) {
        self.overrides = overrides
    }

    /// The words of a part; nil where the state has no such part.
    package subscript(kind: StateKind, part: Part) -> String? {
        guard let key = Self.key(kind, part) else { return nil }
        return self[key: key]
    }

    /// The words of a key; nil where no state has it.
    package subscript(key key: String) -> String? { overrides[key] ?? Self.english[key] }

    /// The key of a part in a strings file; the generic state has no words of its own.
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
