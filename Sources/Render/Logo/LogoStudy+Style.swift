import Artwork
import Raster

extension LogoStudy {
    /// Places a picture of this exact size on an emblem, as far as the recipe leaves it open.
    func place(
        _ size: (width: Double, height: Double), _ recipe: Recipe, _ style: inout EmblemStyle
    ) {
        guard style.mode == .fit else { return }
        let bringsGround = recipe.fillsOwnGround && ground != .absent
        guard bringsGround || recipe.padding == .round && ground == .absent else { return }
        guard style.width == .square else {
            // The emblem takes the shape of the picture, so that only its height is free.
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

    /// The height of a name on an emblem, in pixels; nil for pictures that are no names.
    func nameHeight(in style: EmblemStyle, _ size: (width: Double, height: Double)) -> Double? {
        guard let share = nameShare else { return nil }
        return share * Double(style.placement(of: size).scaled.height)
    }
}

extension Recipe {
    /// A picture that brings a ground along stands on it.
    var fillsOwnGround: Bool { background == .own || background == .shown }
}
