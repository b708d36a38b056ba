import Artwork
import FoundationEssentials
import Raster

extension StateView {
    /// Returns the content to draw, with texts from the bundles and decoded graphics.
    ///
    /// - Parameter box: The size of the graphic in pixels.
    func content(in box: PixelSize) throws(EmblemError) -> StateContent {
        let configuration = params.configuration
        let parts = configuration._stateViewParts
        guard parts.surplusCount == 0 else {
            throw .failedToDraw(
                "A state view shows at most three buttons; its list has \(parts.surplusCount) more. "
                    + "Remove them from buttons.")
        }
        for bundle in params.bundles {
            if let problem = bundle.problem { throw problem }
        }
        var content = StateContent(
            title: text(configuration.title, .title),
            subtitle: parts.subtitle.map { text($0, .subtitle) } ?? "",
            buttons: Button.allCases.compactMap(button).map { button in
                StateContent.Button(
                    title: text(button.title, .button),
                    horizontalSpacers: button.horizontalSpacers.map {
                        StateStyle.bounded($0.value)
                    },
                    link: button.link?.absoluteString)
            })
        if let animation = parts.animation {
            if let bytes = animation.animatableBytes {
                let first = try Blocking.wait {
                    try await Decoding.current.graphic(bytes, in: box)
                }
                content.animation = Artwork.StateAnimation(
                    still: first.graphic, bytes: bytes, format: first.format)
            } else {
                content.icon = try Self.graphic(animation, in: box)
            }
        } else if let name = parts.iconName {
            content.icon = try Self.graphic(try Image.find(name), in: box)
        }
        return content
    }

    /// The prefix of text keys in some design systems.
    private static let keyPrefix = "DesignSystem."

    /// Returns a text from the first bundle that has it. The keys are the text itself and, for a
    /// built-in text, its predefined key, each with and without the prefix. Without a match,
    /// returns the built-in text for one of the keys, or `text` itself.
    func text(_ text: String, _ part: StateTexts.Part) -> String {
        var keys = [text]
        if let kind = (params.configuration as? any ReadyMadeConfiguration)?.kind,
            StateTexts()[kind, part] == text, let key = StateTexts.key(kind, part)
        {
            keys.append(key)
        }
        keys += keys.filter { $0.hasPrefix("stateView.") }.map { Self.keyPrefix + $0 }
        keys += keys.filter { $0.hasPrefix(Self.keyPrefix) }.map {
            String($0.dropFirst(Self.keyPrefix.count))
        }
        for bundle in params.bundles {
            for key in keys {
                if let found = bundle[key] { return found }
            }
        }
        return keys.lazy.compactMap { StateTexts()[key: $0] }.first ?? text
    }

    private static func graphic(
        _ image: Image, in box: PixelSize
    ) throws(EmblemError) -> StateGraphic {
        switch try Blocking.wait({ try await image.drawingContent(in: box) }) {
        case .icon(let icon): .icon(icon)
        case .drawing(let drawing): .drawing(drawing)
        case .picture(let picture): .picture(picture)
        case .initials: preconditionFailure("A picture holds no initials.")
        }
    }
}

extension Image {
    /// The bytes of an image file, which may be animated; `nil` for pixels and icons, which never
    /// are.
    fileprivate var animatableBytes: [UInt8]? {
        if case .encoded(let bytes) = content { bytes } else { nil }
    }
}
