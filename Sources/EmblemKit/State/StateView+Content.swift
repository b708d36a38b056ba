import Artwork
import FoundationEssentials
import Raster

extension StateView {
    /// What is drawn: texts as the bundles have them, graphics as they were read.
    ///
    /// - Parameter box: the pixels in which the graphic is shown.
    func content(in box: PixelSize) throws(EmblemError) -> StateContent {
        let configuration = params.configuration
        var content = StateContent(
            title: text(configuration.title, .title),
            subtitle: configuration.subtitle.map { text($0, .subtitle) } ?? "",
            buttons: Button.allCases.compactMap(button).map { button in
                StateContent.Button(
                    title: text(button.title, .button),
                    horizontalSpacers: button.horizontalSpacers.map(Settings.bounded),
                    link: button.link?.absoluteString)
            })
        if let animation = configuration.animation {
            if let bytes = animation.movingBytes {
                let first = try Blocking.wait {
                    try await DesignSystem.shared.decoding.graphic(bytes, in: box)
                }
                content.animation = Artwork.StateAnimation(
                    still: first.graphic, bytes: bytes, format: first.format)
            } else {
                content.icon = try Self.graphic(animation, in: box)
            }
        } else if let name = configuration.iconName {
            content.icon = try Self.graphic(try ImageSource.named(name), in: box)
        }
        return content
    }

    /// A text as the first bundle that knows it has it: by its own words as a key, or by the key
    /// that a text of ours has.
    private func text(_ text: String, _ part: StateTexts.Part) -> String {
        var keys = [text]
        if let kind = (params.configuration as? any ReadyMadeConfiguration)?.kind,
            StateTexts()[kind, part] == text, let key = StateTexts.key(kind, part)
        {
            keys.append(key)
        }
        for bundle in params.bundles {
            for key in keys {
                if let found = bundle[key] { return found }
            }
        }
        return text
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
    /// The bytes of a file, which may move; what was made from pixels does not.
    fileprivate var movingBytes: [UInt8]? {
        if case .encoded(let bytes) = content { bytes } else { nil }
    }
}
