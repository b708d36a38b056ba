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
    private let renderer: Renderer

    /// A renderer with the built-in theme.
    public init() {
        renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
    }

    /// A renderer whose theme has the design tokens in `json` laid over the built-in ones.
    ///
    /// - Parameter name: what messages call the tokens, such as the name of their file.
    /// - Throws: ``EmblemError/theme(_:)`` with the place and the reason.
    public init(theme json: [UInt8], name: String = "theme.json") throws(EmblemError) {
        do throws(ThemeError) {
            renderer = Renderer(
                theme: try Theme.builtIn.layering(json, name: name).theme,
                artwork: EmblemArtwork())
        } catch {
            throw .theme("\(error)")
        }
    }

    /// The PNG of an emblem.
    ///
    /// - Parameter scale: pixels a point, from 0.5 to 4.
    /// - Throws: ``EmblemError/picture(_:)`` when the bytes cannot be decoded within the limits.
    public func emblem(
        from bytes: [UInt8], layout: Emblem.Layout = .medium,
        appearance: Emblem.Appearance = .brand, contentMode: ContentMode = .fit, scale: Double = 1
    ) throws(EmblemError) -> [UInt8] {
        var recipe = Recipe(variants: [
            Variant(
                layout: layout.value, scale: min(max(scale, 0.5), 4), scheme: .light)
        ])
        recipe.appearance = EmblemAppearance(rawValue: appearance.rawValue) ?? .brand
        recipe.mode = contentMode == .fit ? .fit : .fill
        do throws(RenderError) {
            let header = try renderer.header(of: bytes.span)
            try renderer.check(header, recipe: recipe)
            let request = renderer.request(for: header, recipe: recipe, workingBytes: 256 << 20)
            let rendering = try renderer.render(
                bytes.span, header: header, request: request, recipe: recipe
            ) { _ in }
            return rendering.images.first?.bytes ?? []
        } catch {
            throw .picture("\(error)")
        }
    }
}

/// Why no emblem could be made.
public enum EmblemError: Error, Hashable, Sendable {
    /// The picture cannot be decoded; the text says why.
    case picture(String)
    /// The design tokens cannot be used; the text says where and why.
    case theme(String)
}
