import Artwork

extension EmblemStyle {
    func canHave(width: Int) -> Bool {
        switch self.width {
        case .square: width == height
        case .auto: width >= height && width <= height * Self.widestAspect
        }
    }
}
