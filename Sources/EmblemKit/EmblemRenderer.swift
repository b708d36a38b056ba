import Artwork
import Cell
import Render
import Theming

/// Makes finished emblems from the bytes of pictures.
///
/// ```swift
/// let renderer = EmblemRenderer()
/// let png = try renderer.emblem(from: bytes, layout: .large, scale: 2)
/// ```
///
/// Pictures are decoded where ``Decoding`` says. What is not `async` here holds its thread
/// until the emblem is there, and needs no other thread of the program's.
///
/// A renderer is a value that any number of tasks may share. The same bytes and arguments give the
/// same emblem, byte for byte.
public struct EmblemRenderer: Sendable {
    /// The theme in which it draws.
    public let theme: Theme
    /// Where its pictures are decoded; `nil` takes what the ``DesignSystem`` says.
    public var decoding: Decoding?

    var themed: ThemedRenderer { theme.resolved.renderer }
    var renderer: Renderer { themed.renderer }

    /// A renderer with the built-in theme.
    public init() {
        self.init(theme: .builtIn)
    }

    /// A renderer with a theme of yours.
    public init(theme: Theme) {
        self.theme = theme
    }

    /// The renderer of a component that may have a theme of its own.
    static func inForce(_ theme: Theme?) -> EmblemRenderer {
        let renderer = DesignSystem.shared.renderer
        guard let theme = theme ?? Theme.inTask else { return renderer }
        return EmblemRenderer(renderer, theme: theme)
    }

    /// The same in another theme.
    init(_ other: EmblemRenderer, theme: Theme) {
        self.init(theme: theme)
        decoding = other.decoding
    }

    /// A renderer whose theme has the design tokens in `json` laid over the built-in ones.
    ///
    /// - Parameters:
    ///   - json: the tokens.
    ///   - name: what messages call them, such as the name of their file.
    /// - Throws: ``EmblemError/theme(_:)`` with the place and the reason.
    public init(theme json: [UInt8], name: String = "theme.json") throws(EmblemError) {
        self.init(theme: try Theme(name: name, json: json))
    }

    /// The PNG of an emblem.
    ///
    /// - Parameters:
    ///   - bytes: a picture in any of the formats that ``Image`` reads.
    ///   - layout: the size of the emblem in points.
    ///   - appearance: the colours that it wears.
    ///   - contentMode: how the picture fills it.
    ///   - scale: pixels a point, from 0.5 to 4.
    ///   - scheme: the screens that it is for.
    ///   - fitting: how the picture stands in it.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` when the bytes cannot be decoded within the
    ///   limits or in time, or the task was cancelled; ``EmblemError/scaleOutOfRange(_:)``.
    public func emblem(
        from bytes: [UInt8], layout: Emblem.Layout = .medium,
        appearance: Emblem.Appearance = .brand, contentMode: ContentMode = .fit, scale: Double = 1,
        scheme: ColorScheme = .light, fitting: Emblem.Fitting = Emblem.Fitting()
    ) throws(EmblemError) -> [UInt8] {
        try emblem(
            from: Image(unlooked: bytes), layout: layout, appearance: appearance,
            contentMode: contentMode, scale: scale, scheme: scheme, fitting: fitting
        ).encoded ?? []
    }

    /// The emblem of a picture.
    ///
    /// - Parameters:
    ///   - image: the picture that it shows.
    ///   - layout: the size of the emblem in points.
    ///   - appearance: the colours that it wears.
    ///   - contentMode: how the picture fills it.
    ///   - scale: pixels a point, from 0.5 to 4.
    ///   - scheme: the screens that it is for.
    ///   - fitting: how the picture stands in it.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` when the picture cannot be decoded within the
    ///   limits; ``EmblemError/scaleOutOfRange(_:)``.
    public func emblem(
        from image: Image, layout: Emblem.Layout = .medium,
        appearance: Emblem.Appearance = .brand, contentMode: ContentMode = .fit, scale: Double = 1,
        scheme: ColorScheme = .light, fitting: Emblem.Fitting = Emblem.Fitting()
    ) throws(EmblemError) -> Image {
        var look = EmblemLook(
            layouts: [.emblem(layout.value)], scales: [scale], schemes: [scheme])
        look.appearance = appearance
        look.contentMode = contentMode
        look.fitting = fitting
        if let fault = look.fault { throw fault }
        let decoding = decoding ?? DesignSystem.shared.decoding
        let rendering = try Blocking.wait { [themed, recipe = look.recipe] in
            try await decoding.carryOut(
                image.subject, of: image.bytes, recipe, with: themed
            ).rendering
        }
        guard let drawn = rendering.images.first else {
            preconditionFailure("One layout at one scale is one emblem.")
        }
        return Image(drawn)
    }
}

extension Image {
    /// A finished picture of ours.
    init(_ drawn: RenderedImage) { self.init(drawn.bytes, drawn.size, .ours) }
}
