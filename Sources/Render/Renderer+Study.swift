import Artwork
import Codecs
import Raster
import Theming

extension Renderer {
    /// Trims transparent margins if the recipe says so, and studies the remaining image. Returns
    /// nil if no option needs a study, or if nothing of the image is visible.
    func study(
        _ picture: inout Picture, _ size: inout (width: Double, height: Double), _ recipe: Recipe
    ) throws(DecodeError) -> LogoStudy? {
        var copy = try picture.study(&size, trims: recipe.trim == .transparent)
        guard recipe.studiesLogos, !copy.isBlank else { return nil }
        let hole = recipe.fillsOwnGround ? LogoStudy.holeColor(in: copy) : nil
        if let hole { copy.fillHoles(with: hole, leastAlpha: LogoStudy.leastAlpha) }
        return LogoStudy(copy, hole: hole)
    }

    /// Returns the image halved as often as all variants allow, together with halved copies that
    /// several variants share.
    func prepared(
        _ picture: consuming Picture, _ size: (width: Double, height: Double), _ recipe: Recipe,
        _ study: LogoStudy?
    ) -> Picture {
        switch consume picture {
        case .raster(let pixels):
            return .raster(
                pixels.halved(
                    for: recipe.variants.map { variant in
                        var style = recipe.style(for: variant, in: theme)
                        study?.place(size, recipe, &style)
                        return style.neededSize(for: size)
                    }))
        case .vector(let drawing):
            return .vector(drawing)
        }
    }
}
