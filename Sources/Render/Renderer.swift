import Artwork
import Codecs
import Gauge
import Raster
import System
import Theming

/// The central pure function: takes the bytes of an image and a recipe, and returns the bytes of
/// its emblems.
///
/// It uses no network, clock or global state, and no files except the fonts named at startup. One
/// value serves a whole run and any number of threads.
package struct Renderer: Sendable {
    /// The revision of the output. Increase it when a recipe produces other bytes than before, so
    /// that no run reuses the outputs of an earlier revision.
    package static let revision = 12

    package let theme: Theme
    let artwork: EmblemArtwork

    package init(theme: Theme, artwork: EmblemArtwork) {
        self.theme = theme
        self.artwork = artwork
    }

    /// Receives each stage as it begins, and may end the work by throwing `.stopped`.
    package typealias StageObserver = (RunStage) throws(RenderError) -> Void

    /// Reads the header of `bytes` without decoding pixels or allocating what the header declares.
    package func header(of bytes: Span<UInt8>) throws(RenderError) -> ImageHeader {
        try rethrowing(ImageDecoder.header(of: bytes, limits: .headerOnly), as: RenderError.decode)
    }

    /// Returns the memory for reading the header of `bytes` if it is large: an SVG has no header
    /// and is loaded as a whole.
    package func headerBytes(of bytes: Span<UInt8>, recipe: Recipe) -> Int {
        ImageDecoder.headerBytes(of: bytes, limits: recipe.limits)
    }

    /// Checks a header against the limits of the recipe.
    package func check(_ header: ImageHeader, recipe: Recipe) throws(RenderError) {
        try rethrowing(header.check(recipe.limits), as: RenderError.decode)
    }

    /// The factor by which the decoded sides exceed the needed sides if margins are trimmed. The
    /// result is then as sharp as without margins, unless less than a fourth of a side remains.
    private static let trimSpare = 4
    /// The factor by which the decoded sides exceed the needed sides if a study may enlarge
    /// content.
    private static let studySpare = 2

    /// Returns the decode request for an image with `header`, with at most `workingBytes` of
    /// memory.
    package func request(for header: ImageHeader, recipe: Recipe, workingBytes: Int)
        -> DecodeRequest
    {
        let exact = header.exactSize
        let needed = recipe.variants.map { variant in
            recipe.style(for: variant, in: theme)
                .neededSize(for: exact, isDrawing: header.format == .svg)
        }
        let canTrim =
            recipe.trim == .auto || recipe.trim == .transparent && header.hasAlpha
        let spare = canTrim ? Self.trimSpare : recipe.studiesLogos ? Self.studySpare : 1
        let neededSize = PixelSize(
            width: (needed.map(\.width).max() ?? 1).saturating(times: spare),
            height: (needed.map(\.height).max() ?? 1).saturating(times: spare))
        return DecodeRequest(
            limits: recipe.limits,
            neededSize: neededSize,
            defersOrientation: true,
            workingBytes: workingBytes,
            codecs: recipe.codecs)
    }

    /// Renders every variant of the recipe, with a single decode.
    package func render(
        _ bytes: Span<UInt8>, header: ImageHeader, opened: OpenedDrawing? = nil,
        request: DecodeRequest, recipe: Recipe, observer: StageObserver
    ) throws(RenderError) -> Rendering {
        try observer(.decode)
        return try render(
            try decode(bytes, header: header, opened: opened, request: request),
            header.exactSize, header.format, recipe, observer)
    }

    /// Renders a decoded image; `wholeSize` is its size before decoding.
    private func render(
        _ whole: consuming Picture, _ wholeSize: (width: Double, height: Double),
        _ format: ImageFormat?, _ recipe: Recipe, _ observer: StageObserver
    ) throws(RenderError) -> Rendering {
        var size = wholeSize
        if recipe.trim == .auto {
            try rethrowing(whole.trim(&size), as: RenderError.decode)
        }
        var study: LogoStudy?
        if recipe.studiesLogos || recipe.trim == .transparent {
            study = try rethrowing(self.study(&whole, &size, recipe), as: RenderError.decode)
        }
        let picture = prepared(whole, size, recipe, study)
        var appraisal = Appraisal(
            recipe, theme, artwork, size: size, wholeSize: wholeSize, format: format, study: study)
        var rendering = try draw(recipe, source: format, observer: observer) {
            variant, style throws(RenderError) in
            return try rethrowing(appraisal.fit(picture, variant, &style), as: RenderError.init)
        }
        rendering.decision = appraisal.decision
        rendering.lint = try rethrowing(appraisal.findings(of: picture), as: RenderError.decode)
        return rendering
    }

    /// Decodes a picture for a sketch that shows it in `box`.
    package func graphic(
        _ bytes: Span<UInt8>, header: ImageHeader, opened: OpenedDrawing? = nil,
        in box: PixelSize, _ request: DecodeRequest, observer: StageObserver
    ) throws(RenderError) -> Rendering {
        try observer(.decode)
        let graphic = try rethrowing(
            DecodedGraphic(bytes, header: header, opened: opened, in: box, request),
            as: RenderError.decode)
        return Rendering(images: [], preview: nil, graphic: graphic)
    }

    /// Decodes an image and discards the result, to check that it can be decoded.
    package func check(
        _ bytes: Span<UInt8>, header: ImageHeader, opened: OpenedDrawing? = nil,
        _ request: DecodeRequest, observer: StageObserver
    ) throws(RenderError) -> Rendering {
        try observer(.decode)
        _ = try decode(bytes, header: header, opened: opened, request: request)
        return Rendering(images: [], preview: nil)
    }

    package func pixels(
        _ bytes: Span<UInt8>, header: ImageHeader, opened: OpenedDrawing? = nil,
        _ request: DecodeRequest, observer: StageObserver
    ) throws(RenderError) -> Rendering {
        try observer(.decode)
        let graphic = try rethrowing(
            DecodedGraphic(allOf: bytes, header: header, opened: opened, request),
            as: RenderError.decode)
        return Rendering(images: [], preview: nil, graphic: graphic)
    }

    /// Renders an image that is already in memory in every variant of the recipe.
    package func render(
        _ picture: consuming Picture, recipe: Recipe, observer: StageObserver
    ) throws(RenderError) -> Rendering {
        let size = picture.size
        return try render(picture, size, nil, recipe, observer)
    }

    private func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, opened: OpenedDrawing?, request: DecodeRequest
    ) throws(RenderError) -> Picture {
        try rethrowing(
            ImageDecoder.decode(
                bytes, header: header, request: request, opened: opened), as: RenderError.decode)
    }

    package func icon(_ icon: BuiltInIcon, recipe: Recipe, observer: StageObserver)
        throws(RenderError) -> Rendering
    {
        try draw(recipe, source: nil, observer: observer) { _, style throws(RenderError) in
            return try rethrowing(artwork.icon(icon, style), as: RenderError.init)
        }
    }

    /// Draws initials in every variant of the recipe.
    ///
    /// - Throws: `.encode` if no font has the characters. An icon is then a better replacement than
    ///   empty boxes.
    package func initials(_ initials: Initials, recipe: Recipe, observer: StageObserver)
        throws(RenderError) -> Rendering
    {
        guard try !lacksGlyphs(for: initials) else {
            throw .encode("no installed font has the characters of \(initials.text)")
        }
        return try draw(recipe, source: nil, observer: observer) {
            variant, style throws(RenderError) in
            let badge = recipe.badge.map { ($0, badgeStyle($0, on: style.plainCanvas, variant)) }
            return try rethrowing(
                artwork.initials(initials, style, beside: badge), as: RenderError.init)
        }
    }

    private func lacksGlyphs(for initials: Initials) throws(RenderError) -> Bool {
        try rethrowing(artwork.lacksGlyphs(for: initials), as: RenderError.init)
    }

    /// Renders the variants in order. A variant that differs from the previous one only in its
    /// format is encoded from the same pixels.
    private func draw(
        _ recipe: Recipe, source: ImageFormat?, observer: StageObserver,
        fit: (Variant, inout EmblemStyle) throws(RenderError) -> FittedPicture
    ) throws(RenderError) -> Rendering {
        var images: [RenderedImage] = []
        images.reserveCapacity(recipe.variants.count)
        var preview: Preview?
        var written = WrittenPictures(recipe)
        var rest = recipe.variants[...]
        while let variant = rest.first {
            var style = recipe.style(for: variant, in: theme)
            try observer(.resize)
            var fitted = try fit(variant, &style)
            // The image is rotated this late because it is small by now.
            if fitted.pixels.pendingOrientation != .up { fitted.pixels.applyPendingOrientation() }
            try observer(.compose)
            if preview == nil {
                preview = Preview(of: fitted.pixels)
            }
            let badge = recipe.badge.map { badgeStyle($0, on: fitted.canvas, variant) }
            var canvas = artwork.finish(fitted, style)
            if let mark = recipe.badge, let badge {
                try rethrowing(artwork.lay(mark, badge, over: &canvas), as: RenderError.init)
            }
            repeat {
                let variant = rest.removeFirst()
                let settings = recipe.encoding(for: variant, source: source, in: theme)
                if let index = written.index(of: style, settings, next: images.count) {
                    images.append(RenderedImage(images[index], as: variant))
                } else {
                    try observer(.encode)
                    images.append(try encode(canvas, variant, settings))
                }
            } while rest.first?.showsSame(as: variant) == true
        }
        return Rendering(images: images, preview: preview)
    }

    func encode(
        _ canvas: borrowing PixelBuffer, _ variant: Variant, _ settings: EncodeSettings
    ) throws(RenderError) -> RenderedImage {
        let bytes = try rethrowing(ImageEncoder.encode(canvas, settings)) { (error: EncodeError) in
            RenderError.encode("\(error)")
        }
        return RenderedImage(
            variant: variant, format: settings.format, size: canvas.size, bytes: bytes)
    }
}

extension Renderer {
    /// Reads the header of `bytes`, and the drawing if it had to be loaded for that.
    ///
    /// Accepts headers that exceed the limits, so that a refused image can still be described; only
    /// the length of a document is limited.
    package func open(
        _ bytes: Span<UInt8>, recipe: Recipe
    ) throws(RenderError) -> (header: ImageHeader, drawing: OpenedDrawing?) {
        var limits = DecodeLimits.headerOnly
        limits.svgBytes = recipe.limits.svgBytes
        return try rethrowing(ImageDecoder.open(bytes, limits: limits), as: RenderError.decode)
    }
}

extension Renderer {
    func badgeStyle(_ mark: BadgeMark, on canvas: PixelSize, _ variant: Variant) -> BadgeStyle {
        BadgeStyle(
            mark.badge.appearance,
            on: (Double(canvas.width) / variant.scale, Double(canvas.height) / variant.scale),
            theme: theme, scheme: variant.scheme, scale: variant.scale)
    }

    /// Returns a separate badge, encoded as `recipe` says.
    package func badge(
        _ badge: Badge, scale: Double, scheme: ColorScheme, recipe: Recipe
    ) throws(RenderError) -> RenderedImage {
        let style = BadgeStyle(badge.appearance, theme: theme, scheme: scheme, scale: scale)
        let canvas = try rethrowing(artwork.badge(badge, style), as: RenderError.init)
        // A badge has a fixed size, so only the scale and scheme of the variant matter.
        let variant = Variant(layout: EmblemLayout.medium, scale: scale, scheme: scheme)
        return try encode(canvas, variant, recipe.encoding(for: variant, source: nil, in: theme))
    }
}

/// The images of a rendering that were already encoded, so that equal pixels are encoded once: a
/// large emblem (64 points) at scale 1.5 equals a medium emblem (48 points) at scale 2.
struct WrittenPictures {
    private struct Key: Hashable {
        let style: EmblemStyle
        let settings: EncodeSettings
    }

    private var indices: [Key: Int] = [:]
    /// The sizes of a badge are in points, so with a badge equal pixel sizes do not imply equal
    /// images.
    private let sharesSizes: Bool

    init(_ recipe: Recipe) { sharesSizes = recipe.badge == nil }

    /// Returns the index of an equal image that was encoded before. If there is none, stores `next`
    /// for this style and returns nil.
    mutating func index(of style: EmblemStyle, _ settings: EncodeSettings, next: Int) -> Int? {
        let key = Key(style: sharesSizes ? style.inPixels : style, settings: settings)
        if let known = indices[key] { return known }
        indices[key] = next
        return nil
    }
}

extension Variant {
    /// Returns whether both variants have the same pixels, in any format.
    func showsSame(as other: Variant) -> Bool {
        layout == other.layout && scale == other.scale && scheme == other.scheme
    }
}
