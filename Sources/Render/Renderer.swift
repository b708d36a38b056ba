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
    package static let revision = 13

    package let theme: Theme
    let artwork: EmblemArtwork

    package init(theme: Theme, artwork: EmblemArtwork) {
        self.theme = theme
        self.artwork = artwork
    }

    /// Receives each stage as it begins, and may end the work by throwing `.stopped`.
    package typealias StageObserver = (RunStage) throws(RenderError) -> Void

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
        let spare = Self.spare(for: header, recipe)
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

    private static func spare(for header: ImageHeader, _ recipe: Recipe) -> Int {
        if recipe.trim == .auto || recipe.trim == .transparent && header.hasAlpha {
            return trimSpare
        }
        return recipe.studiesLogos ? studySpare : 1
    }

    /// Decodes an image and draws every variant of the recipe.
    ///
    /// An image without transparent margins is decoded as for the look `plain` first, and again
    /// only if the study enlarges its content. Photographs, which are expensive, are not enlarged.
    ///
    /// - Parameter opened: the drawing, if it was loaded for its header.
    package func render(
        _ bytes: Span<UInt8>, header: ImageHeader, opened: OpenedDrawing? = nil,
        request: DecodeRequest, recipe: Recipe, observer: StageObserver
    ) throws(RenderError) -> Rendering {
        do {
            func studied(_ request: DecodeRequest) throws -> StudiedPicture {
                try observer(.decode)
                return try StudiedPicture(
                    ImageDecoder.decode(bytes, header: header, request: request, opened: opened),
                    wholeSize: header.exactSize, recipe, theme)
            }
            var least = request
            if Self.spare(for: header, recipe) == Self.studySpare, let most = request.neededSize {
                least.neededSize = PixelSize(
                    width: most.width / Self.studySpare, height: most.height / Self.studySpare)
            }
            let picture = try studied(least)
            guard least != request, picture.lacksPixels else {
                return try draw(picture, format: header.format, recipe, observer)
            }
            _ = consume picture
            return try draw(studied(request), format: header.format, recipe, observer)
        } catch {
            throw RenderError(error)
        }
    }

    /// Draws a picture that is already in memory in every variant of the recipe.
    package func render(
        _ picture: consuming Picture, recipe: Recipe, observer: StageObserver
    ) throws(RenderError) -> Rendering {
        do {
            let size = picture.size
            return try draw(
                StudiedPicture(picture, wholeSize: size, recipe, theme), format: nil, recipe,
                observer)
        } catch {
            throw RenderError(error)
        }
    }

    /// From a picture to files: fits, finishes and encodes each variant.
    private func draw(
        _ studied: consuming StudiedPicture, format: ImageFormat?, _ recipe: Recipe,
        _ observer: StageObserver
    ) throws -> Rendering {
        let (size, wholeSize, study) = (studied.size, studied.wholeSize, studied.study)
        let picture = studied.halved()
        var fitting = Fitting(
            recipe, theme, artwork, size: size, wholeSize: wholeSize, format: format, study: study)
        var rendering = try draw(recipe, source: format, observer) { variant, style in
            try fitting.fit(picture, variant, &style)
        }
        rendering.decision = fitting.decision
        rendering.lint = try fitting.findings(of: picture)
        return rendering
    }

    package func icon(_ icon: BuiltInIcon, recipe: Recipe, observer: StageObserver)
        throws(RenderError) -> Rendering
    {
        do {
            return try draw(recipe, source: nil, observer) { _, style in
                try artwork.icon(icon, style)
            }
        } catch {
            throw RenderError(error)
        }
    }

    /// Draws initials in every variant of the recipe.
    ///
    /// - Throws: `.encode` if no font has the characters. An icon is then a better replacement than
    ///   empty boxes.
    package func initials(_ initials: Initials, recipe: Recipe, observer: StageObserver)
        throws(RenderError) -> Rendering
    {
        do {
            guard try !artwork.lacksGlyphs(for: initials) else {
                throw RenderError.encode(
                    "no installed font has the characters of \(initials.text)")
            }
            return try draw(recipe, source: nil, observer) { variant, style in
                let badge = recipe.badge.map {
                    ($0, badgeStyle($0, on: style.plainCanvas, variant))
                }
                return try artwork.initials(initials, style, beside: badge)
            }
        } catch {
            throw RenderError(error)
        }
    }

    /// Renders the variants in order. A variant that differs from the previous one only in its
    /// format is encoded from the same pixels.
    private func draw(
        _ recipe: Recipe, source: ImageFormat?, _ observer: StageObserver,
        fit: (Variant, inout EmblemStyle) throws -> FittedPicture
    ) throws -> Rendering {
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
                try artwork.lay(mark, badge, over: &canvas)
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

    private func encode(
        _ canvas: borrowing PixelBuffer, _ variant: Variant, _ settings: EncodeSettings
    ) throws -> RenderedImage {
        RenderedImage(
            variant: variant, format: settings.format, size: canvas.size,
            bytes: try ImageEncoder.encode(canvas, settings))
    }

    private func badgeStyle(_ mark: BadgeMark, on canvas: PixelSize, _ variant: Variant)
        -> BadgeStyle
    {
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
        // A badge has a fixed size, so only the scale and scheme of the variant matter.
        let variant = Variant(layout: EmblemLayout.medium, scale: scale, scheme: scheme)
        do {
            let canvas = try artwork.badge(badge, style)
            return try encode(
                canvas, variant, recipe.encoding(for: variant, source: nil, in: theme))
        } catch {
            throw RenderError(error)
        }
    }
}

/// A decoded picture without its margins, and what its recipe has to know about it.
private struct StudiedPicture: ~Copyable {
    private var picture: Picture
    /// The upright size of the picture before it was decoded.
    let wholeSize: (width: Double, height: Double)
    /// The size without margins.
    private(set) var size: (width: Double, height: Double)
    let study: LogoStudy?
    /// The sizes at which the variants show the picture.
    private let needed: [PixelSize]
    private let isReduced: Bool

    /// The least number of decoded pixels for each pixel on a side of the scaled picture.
    private static let leastPixels = 1.5

    init(
        _ picture: consuming Picture, wholeSize: (width: Double, height: Double), _ recipe: Recipe,
        _ theme: Theme
    ) throws {
        var picture = picture
        var size = wholeSize
        isReduced = picture.size.width < wholeSize.width
        if recipe.trim == .auto { try picture.trim(&size) }
        let study = try LogoStudy(&picture, &size, recipe)
        needed = recipe.variants.map { variant in
            var style = recipe.style(for: variant, in: theme)
            study?.place(size, recipe, &style)
            return style.neededSize(for: size)
        }
        self.wholeSize = wholeSize
        self.size = size
        self.study = study
        self.picture = picture
    }

    /// Whether the decoder should return more pixels, because the study enlarges the picture.
    var lacksPixels: Bool {
        let widest = Double(needed.map(\.width).max() ?? 0)
        return isReduced && study?.ground != .picture
            && picture.size.width < Self.leastPixels * widest
    }

    /// Returns the picture halved as often as all variants allow.
    consuming func halved() -> Picture {
        let needed = needed
        switch consume picture {
        case .raster(let pixels): return .raster(pixels.halved(for: needed))
        case .vector(let drawing): return .vector(drawing)
        }
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
