import Artwork
import Codecs
import Raster
import Theming

/// What is found out about a picture as its emblems are made: what they share, and what should be
/// said of it. All of it comes from pixels that are drawn anyway, the first of each colour scheme.
struct Appraisal {
    private let recipe: Recipe
    private let theme: Theme
    private let artwork: EmblemArtwork
    /// Upright, and without its margins where they are cut.
    private let size: (width: Double, height: Double)
    /// The same with them.
    private let wholeSize: (width: Double, height: Double)
    private let format: ImageFormat?

    private var sight = Sight()
    private var scaled: ScaledPictures
    private var opticalScale: Double?
    private(set) var backgrounds: [BackgroundChoice] = []
    private var colors: [ColorScheme: EmblemColors] = [:]
    private var lint: Set<PictureLint> = []
    private var judged: Set<ColorScheme> = []

    /// Where a frame of one colour is looked for, levels so far apart are one.
    private static let frameTolerance = 8
    /// A frame further than this from the background is seen beside it.
    private static let frameDistance = 16
    /// Pictures with fewer pixels on their longer side are tiny whatever is made of them.
    private static let tinySide = 16.0

    init(
        _ recipe: Recipe, _ theme: Theme, _ artwork: EmblemArtwork,
        size: (width: Double, height: Double), wholeSize: (width: Double, height: Double),
        format: ImageFormat?
    ) {
        self.recipe = recipe
        self.theme = theme
        self.artwork = artwork
        self.size = size
        self.wholeSize = wholeSize
        self.format = format
        scaled = ScaledPictures(isKeeping: recipe.repeatsHeights(in: theme))
    }

    /// The picture as it is placed on one emblem, of which it may change the style.
    mutating func fit(
        _ picture: borrowing Picture, _ variant: Variant, _ style: inout EmblemStyle
    ) throws(ArtworkError) -> FittedPicture {
        if recipe.balance == .optical, style.mode == .fit {
            style.contentScale = try opticalScale(of: picture, style)
        }
        if recipe.padding == .safe { try pad(picture, &style) }
        let fitted = try artwork.fit(picture, sourceSize: size, style, scaled: &scaled)
        sight.look(at: fitted.pixels, in: style.drawingScheme)
        judgeSize(picture, variant, style)
        judgeColors(fitted, variant.scheme, &style)
        return fitted
    }

    /// What is to be said, in its order.
    func findings(of picture: borrowing Picture) throws(DecodeError) -> [PictureLint] {
        var lint = lint
        if isTiny(picture) { lint.insert(.tinySource) }
        for found in try sight.lint(of: picture) { lint.insert(found) }
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

    /// So high is a picture when its outline is measured: at one height, whatever emblems are asked for.
    private static let opticalHeight = 96.0

    /// How much of what fits the picture takes, so that its outline has the area of all others.
    private mutating func opticalScale(
        of picture: borrowing Picture, _ style: EmblemStyle
    ) throws(ArtworkError) -> Double {
        if let opticalScale { return opticalScale }
        var style = style
        style.scale = Self.opticalHeight / style.heightPoints
        style.paddingPoints = 0
        style.borderPoints = 0
        let fitted = try artwork.fit(picture, sourceSize: size, style)
        let box = style.box(for: size)
        let share = Double(fitted.pixels.silhouetteArea) / Double(box.height * box.height)
        let scale = OpticalSize.scale(ofShare: share)
        opticalScale = scale
        return scale
    }

    /// Finds the least padding at which the corners cut nothing: that of a picture which fills its
    /// box is enough for all.
    private func pad(
        _ picture: borrowing Picture, _ style: inout EmblemStyle
    ) throws(ArtworkError) {
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
            fitted.pixels.turnUpright()
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
        guard picture.hasPixels else { return }
        let scaled = style.placement(of: size).scaled
        guard Double(scaled.width) >= size.width + 1 || Double(scaled.height) >= size.height + 1
        else { return }
        lint.insert(.upscaled(layout: variant.layout.name, scale: variant.scale))
    }

    private func isTiny(_ picture: borrowing Picture) -> Bool {
        guard picture.hasPixels else { return false }
        let least = recipe.variants.map { recipe.style(for: $0, in: theme).height }.min() ?? 0
        return max(wholeSize.width, wholeSize.height) < max(Self.tinySide, Double(least))
    }

    // MARK: Colours

    private mutating func judgeColors(
        _ fitted: borrowing FittedPicture, _ scheme: ColorScheme, _ style: inout EmblemStyle
    ) {
        guard judged.insert(scheme).inserted else {
            if let colors = colors[scheme] { style.colors = colors }
            return
        }
        // A picture that was cut to nothing is not hard to see.
        guard !fitted.pixels.isBlank else { return }
        if recipe.background == .auto { choose(for: fitted, scheme, &style) }
        if !isLegible(fitted, scheme, style) { lint.insert(.lowContrast(scheme)) }
        if bringsBackground(fitted, scheme, style) { lint.insert(.opaqueBackground) }
    }

    private func isLegible(
        _ fitted: borrowing FittedPicture, _ scheme: ColorScheme, _ style: EmblemStyle
    ) -> Bool {
        let tint = style.tint.applies(to: fitted.kind) ? style.colors.foreground : nil
        return Legibility(
            fitted.pixels, tint: tint, over: background(style, scheme)
        ).isLegible
    }

    /// What shows behind the picture: of a background that can be looked through, the surface too.
    private func background(_ style: EmblemStyle, _ scheme: ColorScheme) -> Color {
        let surface = theme.color("theme.color.background.surface", scheme) ?? .white
        return style.colors.background.over(surface)
    }

    /// A picture whose frame is opaque and of one colour, which is not that of the emblem beside it.
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

    /// Takes the first background on which the picture is legible: the list in the emblem's own
    /// scheme, then once more in the colours of the other.
    private mutating func choose(
        for fitted: borrowing FittedPicture, _ scheme: ColorScheme, _ style: inout EmblemStyle
    ) {
        let list = recipe.backgroundList
        let other: ColorScheme = scheme == .light ? .dark : .light
        let candidates = list.map { ($0, scheme) } + list.map { ($0, other) }
        var chosen: BackgroundChoice?
        for (index, (appearance, wanted)) in candidates.enumerated() {
            style.colors = colors(of: appearance, wanted)
            guard isLegible(fitted, scheme, style) else { continue }
            chosen = BackgroundChoice(
                scheme: scheme, appearance: appearance, colors: wanted,
                reason: index == 0 ? .first : .lowContrast)
            break
        }
        let choice =
            chosen
            ?? BackgroundChoice(
                scheme: scheme, appearance: list[0], colors: scheme, reason: .none)
        style.colors = colors(of: choice.appearance, choice.colors)
        colors[scheme] = style.colors
        backgrounds.append(choice)
    }

    private func colors(
        of appearance: EmblemAppearance, _ scheme: ColorScheme
    ) -> EmblemColors {
        recipe.component.isCircle
            ? theme.avatarColors(appearance, scheme) : theme.emblemColors(appearance, scheme)
    }
}
