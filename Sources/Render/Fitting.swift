import Artwork
import Codecs
import Raster
import Theming

/// Fits one image into its emblems. The values that all emblems share, such as its background, and
/// the lint are collected on the way; colours are checked on the first emblem of each colour scheme.
struct Fitting {
    private let recipe: Recipe
    private let theme: Theme
    private let artwork: EmblemArtwork
    /// The upright size of the image, without margins if they are trimmed.
    private let size: (width: Double, height: Double)
    /// The upright size of the image with margins.
    private let wholeSize: (width: Double, height: Double)
    private let format: ImageFormat?
    private let study: LogoStudy?
    private(set) var decision: LogoDecision?

    /// Whether an emblem showed something; false if all were blank.
    private var isSeen: Bool?
    private var scaled: ScaledPictures
    private var grounds: [ColorScheme: (colors: EmblemColors, hasHairline: Bool)] = [:]
    private var lint: Set<PictureLint> = []

    /// The greatest difference in one channel between two pixels of a frame that counts as one
    /// colour.
    private static let frameTolerance = 8
    /// A frame is visible if it differs from the background by more than this in one channel.
    private static let frameDistance = 16
    /// Images with fewer pixels on their longer side count as tiny at any emblem size.
    private static let tinySide = 16.0
    /// The least gap around a small image, in heights of the content box.
    private static let smallGap = 0.2
    /// The longer side at which a drawing is rendered to see whether it is blank, in pixels.
    private static let drawingSide = 256.0
    /// If at least this share of a logo is visible on its background, no other background is tried.
    private static let enoughShown = 0.83
    /// The share by which another background must show more of the logo.
    private static let leastGain = 0.05
    /// The contrast with the page below which a background vanishes on it.
    private static let leastPageContrast = 1.1
    /// The least legible height of a name, in pixels.
    private static let leastLetters = 8.0

    init(
        _ recipe: Recipe, _ theme: Theme, _ artwork: EmblemArtwork,
        size: (width: Double, height: Double), wholeSize: (width: Double, height: Double),
        format: ImageFormat?, study: LogoStudy? = nil
    ) {
        self.recipe = recipe
        self.theme = theme
        self.artwork = artwork
        self.size = size
        self.wholeSize = wholeSize
        self.format = format
        self.study = study
        decision = study.map { study in
            let kept = size.width * size.height / (wholeSize.width * wholeSize.height)
            return LogoDecision(
                kind: study.kind, trim: Int(((1 - kept) * 100).rounded()),
                inset: recipe.padding == .round && study.ground == .absent
                    ? Int(LogoStudy.inset * 100) : 0,
                cut: study.cut)
        }
        scaled = ScaledPictures(keepsResults: recipe.repeatsHeights(in: theme))
    }

    /// Returns the image scaled for one emblem. May change the position, the padding and the
    /// colours of the style.
    mutating func fit(
        _ picture: borrowing Picture, _ variant: Variant, _ style: inout EmblemStyle
    ) throws -> FittedPicture {
        study?.place(size, recipe, &style)
        if recipe.padding == .safe, style.place == nil { try pad(picture, &style) }
        var fitted = try artwork.fit(picture, sourceSize: size, style, scaled: &scaled)
        if isSeen != true { isSeen = !fitted.pixels.isBlank }
        if style.mode == .fit, let hole = study?.hole {
            fitted.pixels.fillHoles(with: hole, leastAlpha: LogoStudy.leastAlpha)
        }
        judgeSize(picture, variant, style)
        judgeColors(fitted, variant.scheme, &style)
        if recipe.fillsOwnGround, style.mode == .fit { fillGround(of: &fitted, style) }
        return fitted
    }

    /// Clears the frame and the soft edge of a tile with round corners, and extends its ground to all
    /// sides of the emblem, unless the ground has the one colour of the background.
    private func fillGround(of fitted: inout FittedPicture, _ style: EmblemStyle) {
        guard let study else { return }
        let scaled = style.placement(of: size, isDrawing: fitted.kind != .raster).scaled
        let isSmall = hasGap(around: fitted, scaled, style)
        let color: Color?
        let extends: Bool
        switch study.ground {
        case .picture, .absent: return
        // The outline of a small icon would become a cross. The icon keeps its shape instead.
        case .smooth: (color, extends) = (nil, !isSmall || study.roundEdge == 0)
        case .color(let known): (color, extends) = (known, !isSmall && study.isUneven)
        }
        // The corners of an enlarged tile are outside the emblem.
        let showsCorners = scaled.height * 8 < fitted.canvas.height * 9
        if study.roundEdge > 0, extends && showsCorners || study.rim > 0 {
            let depth = study.roundEdge * Double(max(scaled.width, scaled.height))
            let edge = Int(depth.rounded(study.rim > 0 ? .up : .toNearestOrAwayFromZero))
            let mask = AlphaMask(fitted.pixels, leastAlpha: LogoStudy.leastAlpha)
            fitted.pixels.clear(outside: mask.eroded(by: edge))
        }
        guard extends else { return }
        fitted.pixels.applyPendingOrientation()
        fitted = FittedPicture(
            pixels: fitted.pixels.extended(
                on: fitted.canvas, x: fitted.x, y: fitted.y, ground: color),
            canvas: fitted.canvas, x: 0, y: 0, kind: fitted.kind)
    }

    /// Returns whether an image of this scaled size is small: a large part of the content box is free
    /// on all sides.
    private func hasGap(
        around fitted: borrowing FittedPicture, _ scaled: PixelSize, _ style: EmblemStyle
    ) -> Bool {
        let gaps = [
            fitted.x, fitted.y, fitted.canvas.width - fitted.x - scaled.width,
            fitted.canvas.height - fitted.y - scaled.height,
        ]
        let box = fitted.canvas.height - 2 * style.inset
        return gaps.allSatisfy { Double($0 - style.inset) >= Self.smallGap * Double(box) }
    }

    /// Returns the lint of the image, in the order in which records list it.
    func findings(of picture: borrowing Picture) throws -> [PictureLint] {
        var lint = lint
        if isTiny(picture) { lint.insert(.tinySource) }
        switch picture {
        case .raster: break
        case .vector(let drawing):
            if drawing.hasUnsupportedFeature { lint.insert(.unsupportedFeature) }
        }
        if try isBlank(picture) { lint.insert(.blank) }
        let variants = recipe.variants.map { ($0.layout.name, $0.scale) }
        func index(_ lint: PictureLint) -> Int {
            switch lint {
            case .upscaled(let layout, let scale):
                variants.firstIndex { $0.0 == layout && $0.1 == scale } ?? 0
            case .lowContrast(let scheme): scheme == .light ? 0 : 1
            default: 0
            }
        }
        return lint.sorted { ($0.kind, index($0)) < ($1.kind, index($1)) }
    }

    // MARK: Size and placement

    /// Finds the least padding at which the rounded corners hide no visible pixel. The search ends
    /// at the padding for an image that fills its box, which is always enough.
    private func pad(
        _ picture: borrowing Picture, _ style: inout EmblemStyle
    ) throws {
        let canvas = style.canvas(for: size)
        let border = style.borderPoints * style.scale
        let radius = style.radiusPoints * style.scale
        var (low, high) = (
            0,
            max(
                0,
                artwork.masks.mask(canvas, radius: radius, style: style.corner, inset: border)
                    .safeInset - style.inset)
        )
        while low < high {
            let middle = (low + high) / 2
            style.safePixels = middle
            var fitted = try artwork.fit(picture, sourceSize: size, style)
            fitted.pixels.applyPendingOrientation()
            let mask = artwork.masks.mask(
                fitted.canvas, radius: radius, style: style.corner, inset: border)
            if mask.cuts(fitted.pixels, x: fitted.x, y: fitted.y) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        style.safePixels = low
    }

    private mutating func judgeSize(
        _ picture: borrowing Picture, _ variant: Variant, _ style: EmblemStyle
    ) {
        if let height = study?.nameHeight(in: style, size), height < Self.leastLetters {
            lint.insert(.smallText)
        }
        guard picture.hasPixels else { return }
        let scaled = style.placement(of: size).scaled
        guard Double(scaled.width) >= size.width + 1 || Double(scaled.height) >= size.height + 1
        else { return }
        lint.insert(.upscaled(layout: variant.layout.name, scale: variant.scale))
    }

    /// Returns whether nothing of the image is visible. Scaling or trimming may remove a pixel. If the
    /// emblems are blank, the image itself is therefore checked, so that the lint does not depend on
    /// the emblem sizes.
    private func isBlank(_ picture: borrowing Picture) throws -> Bool {
        guard isSeen == false else { return false }
        switch picture {
        case .raster(let pixels): return pixels.isBlank
        case .vector(let drawing):
            let side = max(drawing.exactWidth, drawing.exactHeight)
            func pixels(_ length: Double) -> Int {
                max(1, Int((length / side * Self.drawingSide).rounded()))
            }
            let size = PixelSize(
                width: pixels(drawing.exactWidth), height: pixels(drawing.exactHeight))
            return try drawing.render(at: size).isBlank
        }
    }

    private func isTiny(_ picture: borrowing Picture) -> Bool {
        guard picture.hasPixels else { return false }
        let least = recipe.variants.map { recipe.style(for: $0, in: theme).height }.min() ?? 0
        let side = recipe.look == .logos ? Enlargement.tinySide : Self.tinySide
        return max(wholeSize.width, wholeSize.height) < max(side, Double(least))
    }

    // MARK: Colours

    private mutating func judgeColors(
        _ fitted: borrowing FittedPicture, _ scheme: ColorScheme, _ style: inout EmblemStyle
    ) {
        if let known = grounds[scheme] {
            (style.colors, style.hasHairline) = known
            return
        }
        defer { grounds[scheme] = (style.colors, style.hasHairline) }
        // An image that was trimmed to nothing has no low contrast.
        guard !fitted.pixels.isBlank else { return }
        if let study { chooseGround(of: study, for: fitted, scheme, &style) }
        // If the image's own background is a gradient, it covers the background of the emblem, or
        // surrounds the content of a small icon.
        if recipe.fillsOwnGround, study?.ground == .smooth { return }
        if !isLegible(fitted, scheme, style) { lint.insert(.lowContrast(scheme)) }
        if !(recipe.fillsOwnGround && study?.ground ?? .absent != .absent),
            bringsBackground(fitted, scheme, style)
        {
            lint.insert(.opaqueBackground)
        }
    }

    /// Sets the background of the emblem from the study of its image, and records the reason.
    private mutating func chooseGround(
        of study: LogoStudy, for fitted: borrowing FittedPicture, _ scheme: ColorScheme,
        _ style: inout EmblemStyle
    ) {
        let shares = study.shares
        let before = shares.share(on: background(style, scheme))
        var (reason, shown) = (LogoDecision.Ground.Reason.shows, before)
        var chosen = (appearance: recipe.appearance, colors: scheme)
        var edge: Color? = background(style, scheme)
        if recipe.fillsOwnGround, style.mode == .fit, study.ground != .absent {
            (reason, shown, edge) = (.own, 1, study.edgeColor)
            // Soft pixels of a photograph let its own colour through.
            if case .color(let color) = study.ground {
                edge = color
                style.colors.fill(with: color)
            } else if let edge, study.ground == .picture {
                style.colors.fill(with: edge)
            }
        } else if recipe.background == .auto, before < Self.enoughShown,
            // An image in the foreground colour is visible on the background of its appearance.
            !style.tint.applies(to: fitted.kind)
        {
            reason = .none
            var best = 0.0
            for candidate in candidates(scheme) {
                style.colors = colors(of: candidate.appearance, candidate.colors)
                let ground = background(style, scheme)
                let share = shares.share(on: ground)
                let value = share + shares.clarity(on: ground)
                guard share >= before + Self.leastGain, value > best else { continue }
                (best, chosen, reason) = (value, candidate, .showsMore)
            }
            style.colors = colors(of: chosen.appearance, chosen.colors)
            edge = background(style, scheme)
            shown = shares.share(on: background(style, scheme))
        }
        let isCovered = study.ground == .picture && reason == .own
        if recipe.look == .logos, style.borderPoints == 0, !isCovered, let edge {
            style.hasHairline = [page(scheme), scheme == .light ? .white : .black].contains {
                edge.contrast(against: $0) < Self.leastPageContrast
            }
        }
        decision?.grounds.append(
            LogoDecision.Ground(
                scheme: scheme, appearance: chosen.appearance, colors: chosen.colors,
                reason: reason, shownBefore: Int((before * 100).rounded()),
                shown: Int((shown * 100).rounded()), hasHairline: style.hasHairline))
    }

    private func isLegible(
        _ fitted: borrowing FittedPicture, _ scheme: ColorScheme, _ style: EmblemStyle
    ) -> Bool {
        let tint = style.tint.applies(to: fitted.kind) ? style.colors.foreground : nil
        return Legibility(
            fitted.pixels, tint: tint, over: background(style, scheme)
        ).isLegible
    }

    /// Returns the colour behind the image: a translucent background lies over the surface of the
    /// theme.
    private func background(_ style: EmblemStyle, _ scheme: ColorScheme) -> Color {
        style.colors.background.over(page(scheme))
    }

    private func page(_ scheme: ColorScheme) -> Color {
        theme.color("theme.color.background.surface", scheme) ?? .white
    }

    /// Returns whether the frame of the image is opaque, has one colour, and differs from the
    /// background of the emblem.
    private func bringsBackground(
        _ fitted: borrowing FittedPicture, _ scheme: ColorScheme, _ style: EmblemStyle
    ) -> Bool {
        guard format?.output?.hasAlpha ?? true, !style.tint.applies(to: fitted.kind),
            fitted.pixels.size != fitted.canvas,
            let frame = fitted.pixels.frameColor(tolerance: Self.frameTolerance)
        else { return false }
        let beside = background(style, scheme)
        return [
            (frame.red, beside.red), (frame.green, beside.green), (frame.blue, beside.blue),
        ].contains { abs(Int($0) - Int($1)) > Self.frameDistance }
    }

    /// Returns the backgrounds to try: the listed appearances in the colours of `scheme`, then in
    /// the colours of the other scheme.
    private func candidates(
        _ scheme: ColorScheme
    ) -> [(appearance: EmblemAppearance, colors: ColorScheme)] {
        [scheme, scheme == .light ? .dark : .light].flatMap { colors in
            recipe.backgroundList.map { ($0, colors) }
        }
    }

    private func colors(
        of appearance: EmblemAppearance, _ scheme: ColorScheme
    ) -> EmblemColors {
        recipe.component.isCircle
            ? theme.avatarColors(appearance, scheme) : theme.emblemColors(appearance, scheme)
    }
}

extension PixelBuffer {
    var isBlank: Bool {
        let pixels = pixels
        for index in stride(from: 3, to: pixels.count, by: 4) where pixels[index] != 0 {
            return false
        }
        return true
    }
}
