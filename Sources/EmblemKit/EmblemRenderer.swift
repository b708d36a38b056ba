import Artwork
import Render
import Theming
import Worker

/// A renderer that makes finished emblems from the bytes of images.
///
/// ```swift
/// let renderer = EmblemRenderer()
/// let png = try renderer.emblem(from: bytes, layout: .large, scale: 2)
/// ```
///
/// Images are decoded where ``Decoding`` specifies. Functions that are not `async` block the
/// calling thread until the emblem is finished. They need no other thread of the program.
///
/// A renderer is a value that any number of tasks may share. Equal bytes and arguments give equal
/// output, byte for byte.
public struct EmblemRenderer: Sendable {
    /// The theme of the renderer.
    public let theme: Theme
    /// The isolation and the limits for decoding; `nil` uses ``Decoding/current``.
    public var decoding: Decoding?

    var themed: ThemedRenderer { theme.resolved.renderer }
    var renderer: Renderer { themed.renderer }

    /// Creates a renderer with the built-in theme.
    public init() {
        self.init(theme: .builtIn)
    }

    /// Creates a renderer with a custom theme.
    public init(theme: Theme) {
        self.theme = theme
    }

    /// Returns the renderer for a component that may have its own theme.
    static func inForce(_ theme: Theme?) -> EmblemRenderer {
        let renderer = DesignSystem.shared.renderer
        let theme = Theme.inForce(theme)
        return theme == renderer.theme ? renderer : EmblemRenderer(renderer, theme: theme)
    }

    init(_ other: EmblemRenderer, theme: Theme) {
        self.init(theme: theme)
        decoding = other.decoding
    }

    /// Creates a renderer with a theme that overrides tokens of the built-in theme.
    ///
    /// - Parameters:
    ///   - json: The design tokens.
    ///   - name: The name of the theme in messages, such as a file name.
    /// - Throws: ``EmblemError/theme(_:)`` with the line, the token and the reason.
    public init(theme json: [UInt8], name: String = "theme.json") throws(EmblemError) {
        self.init(theme: try Theme(name: name, json: json))
    }

    /// Draws an emblem and returns it as PNG.
    ///
    /// - Parameters:
    ///   - bytes: An image file in one of the formats that ``Image`` reads.
    ///   - layout: The size of the emblem.
    ///   - appearance: The colours of the emblem.
    ///   - contentMode: The rule for how the image fills the emblem.
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    ///   - fitting: The position and size of the image in the emblem.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` if the bytes cannot be decoded within the
    ///   limits or in time, or if the task was cancelled; ``EmblemError/scaleOutOfRange(_:)``.
    public func emblem(
        from bytes: [UInt8], layout: Emblem.Layout = .medium,
        appearance: Emblem.Appearance = .brand, contentMode: ContentMode = .fit, scale: Double = 1,
        scheme: ColorScheme = .light, fitting: Emblem.Fitting = Emblem.Fitting()
    ) throws(EmblemError) -> [UInt8] {
        try emblem(
            from: Image(encoded: bytes), layout: layout, appearance: appearance,
            contentMode: contentMode, scale: scale, scheme: scheme, fitting: fitting
        ).encoded ?? []
    }

    /// Draws an emblem from an image.
    ///
    /// - Parameters:
    ///   - image: The image to show.
    ///   - layout: The size of the emblem.
    ///   - appearance: The colours of the emblem.
    ///   - contentMode: The rule for how the image fills the emblem.
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    ///   - fitting: The position and size of the image in the emblem.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` if the image cannot be decoded within the
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
        let decoding = Decoding.inForce(decoding)
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
    init(_ drawn: RenderedImage) { self.init(drawn.bytes, drawn.size, .ownPNG) }
}
