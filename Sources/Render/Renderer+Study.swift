import Artwork
import Codecs
import Raster
import Theming

extension Renderer {
    /// Cuts transparent margins and studies what is left; nil where no decision depends on it.
    func study(
        _ picture: inout Picture, _ size: inout (width: Double, height: Double), _ recipe: Recipe
    ) throws(DecodeError) -> LogoStudy? {
        let copy = try picture.study(&size, trims: recipe.trim == .transparent)
        guard recipe.studiesLogos, !copy.isBlank else { return nil }
        var dark: PixelBuffer?
        if recipe.variants.contains(where: { $0.scheme == .dark }) {
            dark = try picture.darkStudy()
        }
        return LogoStudy(copy, dark: dark)
    }

    /// The picture with as many pixels as its variants need, and with halves that they share.
    func prepared(
        _ picture: consuming Picture, _ size: (width: Double, height: Double), _ recipe: Recipe,
        _ study: LogoStudy?
    ) -> Picture {
        guard !recipe.linear else { return picture }
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
