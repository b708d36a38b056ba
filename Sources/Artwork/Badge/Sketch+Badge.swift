import Theming

extension Sketch {
    /// Lays a badge over a corner. Nothing can be cut out of a drawing, so the ring around it has
    /// the colour of the surface.
    package mutating func lay(
        _ mark: BadgeMark, in theme: Theme, _ scheme: ColorScheme
    ) throws(ArtworkError) {
        let style = BadgeStyle(
            mark.badge.appearance, on: (width, height), theme: theme, scheme: scheme)
        let pill = try mark.badge.sketch(style)
        let x = mark.corner.isRight ? width - pill.width : 0
        let y = mark.corner.isBottom ? height - pill.height : 0
        if let surface = theme.color("theme.color.background.surface", scheme) {
            let edge = Box(
                x: x, y: y, width: pill.width, height: pill.height, radius: pill.height / 2)
            add(.fill(edge.inset(by: -style.ring), surface))
        }
        add(pill, x: x, y: y)
    }
}
