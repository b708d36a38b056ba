import Artwork

extension EmblemStyle {
    /// Whether some picture would have an emblem of this width.
    func canHave(width: Int) -> Bool {
        switch self.width {
        case .square: width == height
        case .auto: width >= height && width <= height * Self.widestAspect
        }
    }
}
