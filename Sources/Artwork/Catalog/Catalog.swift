import Codecs
import Raster
import System
import Theming

/// Every component in every variant of a theme, as a visual reference.
package struct Catalog: Sendable {
    package let theme: Theme
    private let artwork = EmblemArtwork()

    package init(theme: Theme = .builtIn) {
        self.theme = theme
    }

    package func sections(_ scheme: ColorScheme) throws(ArtworkError) -> [CatalogSection] {
        [
            try emblems(scheme), try phases(scheme), try pictureOptions(scheme), try icons(scheme),
            try avatars(scheme), try badges(scheme), try stateViews(scheme),
        ]
    }

    private func style(
        _ layout: EmblemLayout, _ scheme: ColorScheme, _ appearance: EmblemAppearance = .brand
    ) -> EmblemStyle {
        EmblemStyle(theme: theme, layout: layout, appearance: appearance, scheme: scheme)
    }

    /// Makes the item of an emblem whose pixels are drawn as in a batch.
    private func item(
        _ caption: String, _ content: EmblemContent, _ style: EmblemStyle
    ) throws(ArtworkError) -> CatalogItem {
        let artwork = artwork
        return CatalogItem(caption, try style.sketch(of: content, title: caption)) {
            scale throws(ArtworkError) in
            var style = style
            style.scale = scale
            switch content {
            case .icon(let icon):
                return artwork.finish(try artwork.icon(icon, style), style)
            case .initials(let initials):
                return artwork.finish(try artwork.initials(initials, style), style)
            case .drawing(let drawing):
                let picture = Picture.vector(try drawing.picture())
                return artwork.finish(try artwork.fit(picture, style), style)
            case .picture(let picture):
                let copy = Picture.raster(picture.pixels.copy())
                return artwork.finish(try artwork.fit(copy, style), style)
            }
        }
    }

    private func emblems(_ scheme: ColorScheme) throws(ArtworkError) -> CatalogSection {
        var items: [CatalogItem] = []
        for appearance in EmblemAppearance.allCases {
            for layout in EmblemLayout.allCases {
                items.append(
                    try item(
                        "\(appearance.rawValue) \(layout.rawValue)", .icon(.accountBalance),
                        style(layout, scheme, appearance)))
            }
        }
        return CatalogSection(
            name: "emblems", title: "Emblems", items: items, columns: 8, isTable: true)
    }

    /// Returns the section of emblems whose picture is loading, is loaded, or failed to load.
    private func phases(_ scheme: ColorScheme) throws(ArtworkError) -> CatalogSection {
        var items: [CatalogItem] = []
        for layout in EmblemLayout.allCases {
            let style = style(layout, scheme)
            items.append(try loading("loading \(layout.rawValue)", style, scheme))
            items.append(try item("loaded \(layout.rawValue)", .drawing(try sample()), style))
            items.append(
                try item("failed \(layout.rawValue)", .icon(.accountBalance), style))
        }
        return CatalogSection(
            name: "phases", title: "Loading", items: items, columns: 6, isTable: true)
    }

    private func loading(
        _ caption: String, _ style: EmblemStyle, _ scheme: ColorScheme
    ) throws(ArtworkError) -> CatalogItem {
        let middle = Shimmer.frameCount / 2
        var fine = style
        fine.scale = 3
        let frame = Shimmer(fine, scheme: scheme)
        var sketch = Sketch(
            width: style.heightPoints, height: style.heightPoints, title: caption)
        sketch.add(
            .picture(
                SketchPicture(frame.frame(middle)),
                Box(x: 0, y: 0, width: style.heightPoints, height: style.heightPoints)))
        fine.scale = 2
        let animation = try rethrowing(
            AnimationEncoder.encode(
                Shimmer(fine, scheme: scheme).frames, format: .webp), as: ArtworkError.encoding)
        return CatalogItem(caption, sketch, animation: animation) {
            scale throws(ArtworkError) in
            var style = style
            style.scale = scale
            return Shimmer(style, scheme: scheme).frame(middle)
        }
    }

    /// Returns the section of the options that place and frame a picture.
    private func pictureOptions(_ scheme: ColorScheme) throws(ArtworkError) -> CatalogSection {
        let options: [(String, (inout EmblemStyle) -> Void)] = [
            ("fit", { _ in }), ("fill", { $0.mode = .fill }),
            ("padding 8", { $0.paddingPoints = 8 }), ("border 2", { $0.borderPoints = 2 }),
            ("continuous", { $0.corner = .continuous }), ("width auto", { $0.width = .auto }),
        ]
        var items: [CatalogItem] = []
        for (caption, change) in options {
            var style = style(.xLarge, scheme, .category6)
            style.colors.border = style.colors.foreground
            change(&style)
            items.append(try item(caption, .drawing(try sample(wide: true)), style))
        }
        return CatalogSection(
            name: "picture-options", title: "Picture options", items: items, columns: 6)
    }

    private func icons(_ scheme: ColorScheme) throws(ArtworkError) -> CatalogSection {
        var items: [CatalogItem] = []
        for icon in BuiltInIcon.allCases {
            items.append(try item(icon.rawValue, .icon(icon), style(.large, scheme)))
        }
        return CatalogSection(name: "icons", title: "Icons", items: items, columns: 7)
    }

    private func avatars(_ scheme: ColorScheme) throws(ArtworkError) -> CatalogSection {
        var items: [CatalogItem] = []
        for layout in AvatarLayout.allCases {
            let style = EmblemStyle(avatar: layout, theme: theme, scheme: scheme)
            guard let initials = Initials("JD") else { continue }
            for (name, content) in [
                ("initials", EmblemContent.initials(initials)), ("icon", .icon(.person)),
                ("picture", .drawing(try sample())),
            ] {
                items.append(try item("\(name) \(layout.rawValue)", content, style))
            }
        }
        return CatalogSection(
            name: "avatars", title: "Avatars", items: items, columns: 6, isTable: true)
    }

    private func badges(_ scheme: ColorScheme) throws(ArtworkError) -> CatalogSection {
        var items: [CatalogItem] = []
        for text in ["3", "New", "Überfällig 🎉"] {
            for appearance in BadgeAppearance.allCases {
                guard let badge = Badge(text, appearance: appearance) else { continue }
                let style = BadgeStyle(appearance, theme: theme, scheme: scheme)
                let theme = theme
                items.append(
                    CatalogItem(appearance.rawValue, try badge.sketch(style)) {
                        scale throws(ArtworkError) in
                        let style = BadgeStyle(
                            appearance, theme: theme, scheme: scheme, scale: scale)
                        return try badge.sketch(style).pixels(scale: scale)
                    })
            }
        }
        return CatalogSection(name: "badges", title: "Badges", items: items, columns: 5)
    }

    private func stateViews(_ scheme: ColorScheme) throws(ArtworkError) -> CatalogSection {
        var items: [CatalogItem] = []
        for kind in StateKind.allCases {
            var content = StateContent(kind)
            if kind == .generic {
                content.title = "Payment complete"
                content.subtitle = "Your receipt is on its way and arrives within a few minutes"
                content.buttons = ["Done", "View receipt", "Report a problem"].map {
                    .init(title: $0, horizontalSpacers: 24)
                }
            }
            var style = StateStyle(
                theme: theme, scheme: scheme, appearance: kind == .generic ? .success : .brand)
            style.padding = theme.dimension("theme.dimension.spacing.md") ?? 0
            let view = StateView(content, style: style)
            items.append(CatalogItem(kind.rawValue, try view.sketch()))
        }
        return CatalogSection(name: "state-views", title: "State views", items: items, columns: 2)
    }

    /// An example mark in colours that suit both schemes.
    private func sample(wide: Bool = false) throws(ArtworkError) -> SketchDrawing {
        let (width, x) = wide ? (72, 24) : (48, 0)
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) 48">\
            <rect width="\(width)" height="48" fill="#F4B942"/>\
            <circle cx="\(18 + x / 2)" cy="24" r="12" fill="#17324D"/>\
            <circle cx="\(30 + x / 2)" cy="24" r="12" fill="#E4572E" fill-opacity=".9"/></svg>
            """
        return try SketchDrawing(svg: Array(svg.utf8))
    }
}

extension SketchDrawing {
    func picture() throws(ArtworkError) -> VectorPicture {
        try rethrowing(
            VectorPicture(svg: svg.span, limits: DecodeLimits()), as: ArtworkError.drawing)
    }
}

package struct CatalogItem: Sendable {
    package let caption: String
    package let sketch: Sketch
    /// An animated WebP that replaces the drawing on a page.
    package var animation: [UInt8]?
    /// Makes the pixels of the component at a scale; nil if the pixels come from the sketch.
    private let makePixels: (@Sendable (Double) throws(ArtworkError) -> PixelBuffer)?

    /// - Parameter pixels: makes the component at a scale; nil draws the sketch.
    init(
        _ caption: String, _ sketch: Sketch, animation: [UInt8]? = nil,
        pixels: (@Sendable (Double) throws(ArtworkError) -> PixelBuffer)? = nil
    ) {
        self.caption = caption
        self.sketch = sketch
        self.animation = animation
        makePixels = pixels
    }

    package func pixels(scale: Double) throws(ArtworkError) -> PixelBuffer {
        if let makePixels { return try makePixels(scale) }
        return try sketch.pixels(scale: scale)
    }
}

package struct CatalogSection: Sendable {
    /// The name of the section in file names and links.
    package let name: String
    package let title: String
    package let items: [CatalogItem]
    package let columns: Int
    /// Whether each row consists of two groups of items, so that a page has half as many columns.
    var isTable = false
}
