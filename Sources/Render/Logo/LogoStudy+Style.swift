import Artwork
import Raster

extension LogoStudy {
    /// Sets the position of a picture of this exact size, if the recipe leaves it to the study.
    func place(
        _ size: (width: Double, height: Double), _ recipe: Recipe, _ style: inout EmblemStyle
    ) {
        guard style.mode == .fit else { return }
        let bringsGround = recipe.fillsOwnGround && ground != .absent
        guard bringsGround || recipe.padding == .round && ground == .absent else { return }
        guard style.width == .square else {
            // The emblem is as wide as the picture needs, so a padding replaces the place.
            if !bringsGround {
                style.paddingPoints = min(
                    style.heightPoints * Self.inset, style.heightPoints / 4 - style.borderPoints)
            }
            return
        }
        let height = Double(style.box(for: size).height)
        let radius = (style.radiusPoints * style.scale - Double(style.inset)) / height
        style.place = place(radius: max(0, radius), isOptical: recipe.balance == .optical)
    }

    /// Returns the height at which a name is drawn on an emblem, in pixels; nil if the picture is
    /// not a name.
    func nameHeight(in style: EmblemStyle, _ size: (width: Double, height: Double)) -> Double? {
        guard let share = nameShare else { return nil }
        return share * Double(style.placement(of: size).scaled.height)
    }
}

extension Recipe {
    /// Whether the own background of a picture that has one fills the emblem.
    var fillsOwnGround: Bool { background == .own || background == .shown }
}
