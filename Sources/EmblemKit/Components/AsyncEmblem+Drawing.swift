import Artwork
import Raster
import Theming

extension AsyncEmblem {
    /// Loads the picture and draws the emblem as an SVG document, sharp at every size.
    ///
    /// Icons and pictures that are SVG themselves stay drawings, others are embedded. What cannot
    /// be loaded shows the placeholder, and what was loaded already is not loaded again, as in
    /// ``render(scale:scheme:)``.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; what kept the picture from being
    ///   shown only if not even a placeholder can be drawn.
    public func svg(scheme: ColorScheme = .light) async throws -> String {
        let theme = Theme.inForce(theme)
        var style = EmblemStyle(
            theme: theme.tokens, layout: layout.value, appearance: appearance.value,
            scheme: scheme.value)
        style.mode = contentMode.value
        let drawing = ComponentDrawing(
            style: style, theme: theme, scheme: scheme, badge: badge?.mark(badgeCorner),
            accessibility: accessibility,
            loader: loader ?? DesignSystem.shared.emblemImageLoader)
        let wanted: [ComponentContent] =
            switch lastLoad.result {
            case .success(let image): [.source(.captured(image: image))]
            case .failure: []
            case nil: [.source(source)]
            }
        return try await drawing.svg(
            wanted + [.source(placeholder), .source(.icon(.accountBalance))])
    }
}

/// An emblem or avatar on its way to a document.
struct ComponentDrawing {
    let style: EmblemStyle
    let theme: Theme
    let scheme: ColorScheme
    let badge: BadgeMark?
    let accessibility: Accessibility
    let loader: any AsyncEmblemImageLoader

    /// The document of the first content that can be drawn.
    ///
    /// - Throws: what kept the first content from being drawn, if nothing else can be.
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
            let image = try await source.loadUnchecked(with: loader).image
            // A drawing is drawn once, small, to see that it can be.
            shown = try await image.drawingContent(in: PixelSize(width: 64, height: 64))
        }
        try Task.checkCancellation()
        return try EmblemError.drawing { () throws(ArtworkError) in
            var sketch = try style.sketch(
                of: shown, title: accessibility.label, summary: accessibility.summary)
            if let badge { try lay(badge, on: &sketch) }
            return try sketch.svg()
        }
    }

    /// The ring around a badge has the colour of the surface: a drawing has no rubber.
    private func lay(_ mark: BadgeMark, on sketch: inout Sketch) throws(ArtworkError) {
        let look = BadgeStyle(
            mark.badge.appearance, on: (sketch.width, sketch.height), theme: theme.tokens,
            scheme: scheme.value)
        let pill = try mark.badge.sketch(look)
        let isRight = mark.corner == .topRight || mark.corner == .bottomRight
        let isBottom = mark.corner == .bottomLeft || mark.corner == .bottomRight
        let box = Box(
            x: isRight ? sketch.width - pill.width : 0,
            y: isBottom ? sketch.height - pill.height : 0, width: pill.width,
            height: pill.height, radius: pill.height / 2)
        if look.ring > 0,
            let surface = theme.tokens.color("theme.color.background.surface", scheme.value)
        {
            sketch.add(.fill(box.inset(by: -look.ring), surface))
        }
        sketch.add(pill, x: box.x, y: box.y)
    }
}
