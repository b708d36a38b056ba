import Artwork
import Codecs
import Raster
import Render
import Theming

/// Makes finished emblems from the bytes of pictures.
///
/// ```swift
/// let renderer = EmblemRenderer()
/// let png = try renderer.emblem(from: bytes, layout: .large, scale: 2)
/// ```
///
/// A renderer is a value that any number of tasks may share. The same bytes and arguments give the
/// same emblem, byte for byte.
public struct EmblemRenderer: Sendable {
    /// The theme in which it draws.
    public let theme: Theme
    let renderer: Renderer

    /// A renderer with the built-in theme.
    public init() {
        self.init(theme: .builtIn)
    }

    /// A renderer with a theme of yours.
    public init(theme: Theme) {
        self.theme = theme
        renderer = Renderer(theme: theme.tokens, artwork: EmblemArtwork())
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
    /// - Throws: ``EmblemError/failedToDecode(_:)`` when the bytes cannot be decoded within the
    ///   limits.
    public func emblem(
        from bytes: [UInt8], layout: Emblem.Layout = .medium,
        appearance: Emblem.Appearance = .brand, contentMode: ContentMode = .fit, scale: Double = 1,
        scheme: ColorScheme = .light
    ) throws(EmblemError) -> [UInt8] {
        let image = try Image(unchecked: bytes)
        return try emblem(
            from: image, layout: layout, appearance: appearance, contentMode: contentMode,
            scale: scale, scheme: scheme
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
    /// - Throws: ``EmblemError/failedToDecode(_:)`` when the picture cannot be decoded within the
    ///   limits.
    public func emblem(
        from image: Image, layout: Emblem.Layout = .medium,
        appearance: Emblem.Appearance = .brand, contentMode: ContentMode = .fit, scale: Double = 1,
        scheme: ColorScheme = .light
    ) throws(EmblemError) -> Image {
        var look = EmblemLook(
            layouts: [.emblem(layout.value)], scales: [scale], schemes: [scheme])
        look.appearance = appearance
        look.contentMode = contentMode
        do throws(RenderError) {
            let drawn = try draw(image, look) { _ in }
            guard let emblem = drawn.first else {
                preconditionFailure("One layout at one scale is one emblem.")
            }
            return emblem.image
        } catch {
            throw EmblemError(error)
        }
    }
}

extension EmblemRenderer {
    /// Draws a picture in every variant of `look`.
    func draw(
        _ image: Image, _ look: EmblemLook, observer: Renderer.StepObserver
    ) throws(RenderError) -> [DrawnPicture] {
        let recipe = look.recipe
        let rendering: Rendering
        switch image.content {
        case .encoded(let bytes):
            let header = try renderer.header(of: bytes.span)
            try renderer.check(header, recipe: recipe)
            rendering = try renderer.render(
                bytes.span, header: header, request: request(for: header, recipe), recipe: recipe,
                observer: observer)
        case .pixels(let shared):
            let picture = Picture.raster(shared.buffer.copy())
            rendering = try renderer.render(picture, recipe: recipe, observer: observer)
        case .icon(let icon):
            rendering = try renderer.icon(icon, recipe: recipe, observer: observer)
        }
        return Self.pictures(of: rendering)
    }

    /// Draws initials in every variant of `look`.
    func draw(
        _ initials: Initials, _ look: EmblemLook, observer: Renderer.StepObserver
    ) throws(RenderError) -> [DrawnPicture] {
        Self.pictures(
            of: try renderer.initials(initials, recipe: look.recipe, observer: observer))
    }

    private static func pictures(of rendering: Rendering) -> [DrawnPicture] {
        rendering.images.map { drawn in
            DrawnPicture(
                variant: drawn.variant, image: Image(drawn.bytes, drawn.size, .ours))
        }
    }

    /// The bytes that ``draw(_:_:observer:)`` works in; what cannot be read costs none.
    func cost(of image: Image, _ look: EmblemLook) -> Int {
        switch image.content {
        case .encoded(let bytes):
            guard let header = try? renderer.header(of: bytes.span) else { return 0 }
            return ImageDecoder.memoryCost(of: header, request: request(for: header, look.recipe))
        case .pixels(let shared): return shared.buffer.size.byteCount
        case .icon: return 0
        }
    }

    private func request(for header: ImageHeader, _ recipe: Recipe) -> DecodeRequest {
        renderer.request(for: header, recipe: recipe, workingBytes: 256 << 20)
    }
}
