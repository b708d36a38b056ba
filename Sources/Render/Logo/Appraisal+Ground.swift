import Artwork
import Raster
import Theming

extension Appraisal {
    /// If at least this share of a logo is visible on its background, no other background is tried.
    private static let enoughShown = 0.83
    /// The share by which another background must show more of the logo.
    private static let leastGain = 0.1

    /// Sets the background of the emblem from the study of its image, and records the reason.
    mutating func chooseGround(
        of study: LogoStudy, for fitted: borrowing FittedPicture, _ scheme: ColorScheme,
        _ style: inout EmblemStyle
    ) {
        let shares = study.shares
        let before = shares.share(on: background(style, scheme))
        func note(
            _ reason: LogoDecision.Ground.Reason, _ appearance: EmblemAppearance,
            _ colors: ColorScheme, _ shown: Double
        ) {
            decision?.grounds.append(
                LogoDecision.Ground(
                    scheme: scheme, appearance: appearance, colors: colors, reason: reason,
                    shownBefore: Int((before * 100).rounded()),
                    shown: Int((shown * 100).rounded())))
        }
        if recipe.fillsOwnGround, style.mode == .fit, study.ground != .absent {
            if case .color(let color) = study.ground {
                style.colors.fill(with: color)
                colors[scheme] = style.colors
            }
            note(.own, recipe.appearance, scheme, 1)
            return
        }
        // An image in the foreground colour is always visible on the background of its appearance.
        guard recipe.background == .own || recipe.background == .auto else { return }
        guard recipe.background == .auto, before < Self.enoughShown,
            !style.tint.applies(to: fitted.kind)
        else {
            note(.shows, recipe.appearance, scheme, before)
            return
        }
        var best: (appearance: EmblemAppearance, colors: ColorScheme, value: Double)?
        for (appearance, wanted) in candidates(scheme) {
            style.colors = colors(of: appearance, wanted)
            let ground = background(style, scheme)
            let share = shares.share(on: ground)
            guard share >= before + Self.leastGain else { continue }
            let value = share + shares.clarity(on: ground)
            if value > best?.value ?? 0 { best = (appearance, wanted, value) }
        }
        let (appearance, wanted) =
            best.map { ($0.appearance, $0.colors) } ?? (recipe.appearance, scheme)
        style.colors = colors(of: appearance, wanted)
        colors[scheme] = style.colors
        note(
            best == nil ? .none : .showsMore, appearance, wanted,
            shares.share(on: background(style, scheme)))
    }
}
