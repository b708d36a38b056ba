import Artwork
import Raster
import Render
import Theming

extension AsyncEmblem {
    /// Loads the image and draws the emblem as an SVG document, sharp at every size.
    ///
    /// Icons and SVG images remain vector drawings; other images are embedded. If loading fails,
    /// the placeholder is drawn.
    ///
    /// The drawing follows the content mode, padding and tint of the ``look``. The image itself is
    /// not changed, so operations on its pixels do not apply: trimming, optical balance, and the
    /// margins and backgrounds of ``Emblem/Look/logos``. Use ``render(scale:scheme:)`` for these
    /// operations.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; the loading error if even the
    ///   placeholder cannot be drawn.
    public func svg(scheme: ColorScheme = .light) async throws -> String {
        try await svg(.empty, scheme: scheme)
    }

    /// Draws the SVG document for a phase of loading, without loading the image again, like
    /// ``render(_:scale:scheme:)``.
    public func svg(
        _ phase: AsyncImagePhase, scheme: ColorScheme = .light
    ) async throws -> String {
        let theme = Theme.inForce(theme)
        let variant = Variant(layout: layout.value, scale: 1, scheme: scheme.value)
        let drawing = ComponentDrawing(
            style: emblemLook(1, scheme).recipe.style(for: variant, in: theme.tokens),
            theme: theme, scheme: scheme, badge: badge?.mark(badgeCorner),
            accessibility: accessibility.with(badge),
            loading: SourceLoading(loader, timeout: timeout),
            decoding: Decoding.inForce(
                decoding, program: EmblemRenderer.inForce(theme).decoding))
        let wanted = try? content(in: phase).get()
        return try await drawing.svg(
            [wanted, .source(placeholder), .source(.icon(.accountBalance))].compactMap { $0 })
    }
}

/// The properties for drawing an emblem or avatar as an SVG document.
struct ComponentDrawing {
    let style: EmblemStyle
    let theme: Theme
    let scheme: ColorScheme
    let badge: BadgeMark?
    let accessibility: Accessibility
    let loading: SourceLoading
    let decoding: Decoding

    /// Draws the first of `contents` that can be drawn. If none can, throws the error of the first.
    func svg(_ contents: [ComponentContent]) async throws -> String {
        var cause: (any Error)?
        for content in contents {
            do {
                return try await svg(content)
            } catch {
                guard !Task.isCancelled else { throw CancellationError() }
                cause = cause ?? error
            }
        }
        throw cause ?? CancellationError()
    }

    private func svg(_ content: ComponentContent) async throws -> String {
        let shown: EmblemContent
        switch content {
        case .initials(let initials): shown = .initials(initials)
        case .source(let source):
            let image = try await source.load(loading).image
            // Draw the image once at a small size to check that it can be drawn.
            let size = PixelSize(width: 64, height: 64)
            shown = try await image.drawingContent(in: size, decoding)
        }
        try Task.checkCancellation()
        return try EmblemError.drawing { () throws(ArtworkError) in
            var sketch = try style.sketch(
                of: shown, title: accessibility.label, summary: accessibility.summary)
            if let badge {
                try sketch.lay(
                    badge, in: theme.tokens, scheme.value, radius: style.radiusPoints)
            }
            return try sketch.svg()
        }
    }
}
