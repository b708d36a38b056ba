import Artwork
import Codecs
import Raster
import Theming

/// The kind, the own background and the outline of a logo, found in a small copy of it.
///
/// The copy has at most `side` pixels on its longer side, so that a decision depends on the picture
/// alone and not on the requested emblems.
struct LogoStudy {
    /// The background that is part of the picture itself.
    enum Ground: Hashable, Sendable {
        case absent
        case color(Color)
        /// A gradient.
        case smooth
        /// The picture itself fills the emblem, as a photograph does.
        case picture
    }

    let kind: LogoKind
    let ground: Ground
    /// The colour behind the holes of a tile, such as letters that are cut out; nil without holes.
    let hole: Color?
    /// Whether the content touches one edge of the ground and must stay at that edge.
    let bleeds: Bool
    /// The width of the frame that is cut off, as a share of the longer side of the picture.
    let rim: Double
    /// The width of the soft edge of a tile with round corners, and of its frame, as a share of the
    /// longer side; 0 for other tiles. It is cleared along the outline instead of being cropped.
    let roundEdge: Double
    /// Whether the ground is a gradient between colours that are close to each other.
    let isUneven: Bool
    private let ink: LogoInk
    private let width: Double
    private let height: Double
    /// The area inside the outline, divided by the area of a square with the longer side.
    private let silhouette: Double
    /// The parts of the logo that are visible on a background.
    let shares: GroundShare

    /// The longer side of the small copy, in pixels.
    static let side = 128
    /// The least alpha of a pixel of the logo's shape.
    static let leastAlpha: UInt8 = 128
    /// The distance of a logo from the round outline, in emblem heights.
    static let inset = 0.08
    /// The least distance from the outline, in emblem heights, at which the content of a picture
    /// with a ground stays where its designer placed it.
    private static let ownInset = 0.045
    /// The longer side, in emblem heights, to which smaller content of a picture with a ground is
    /// enlarged.
    private static let leastContent = 0.6
    /// The least share of the holes in a tile, and the least share of its solid part.
    private static let leastHoles = 0.02
    private static let leastSolid = 0.62
    /// The least contrast of white holes with their tile.
    private static let leastHoleContrast = 2.5
    /// The width of the soft edge of a tile with round corners, inside its frame, in pixels.
    private static let softPixels = 2
    /// The least longer side of a tile whose frame is removed at round corners, in pixels. The soft
    /// edge of smaller tiles is narrower.
    private static let leastSoft = 64
    /// The least side of a tile inside a margin of one colour, in pixels.
    private static let leastTile = 32
    /// The least width of a name, in heights of the name.
    private static let wordmarkAspect = 2.0
    /// The share of a tile that is placed outside the emblem on each side, to hide lines along its
    /// edge.
    private static let overscan = 1.0 / 64

    /// - Parameters:
    ///   - known: the edge of the picture, if it was measured before.
    ///   - hole: the colour that was put behind the holes of a tile.
    init(
        _ picture: borrowing PixelBuffer, edge known: LogoEdge? = nil, hole: Color? = nil
    ) {
        self.hole = hole
        let (width, height) = (picture.width, picture.height)
        (self.width, self.height) = (Double(width), Double(height))
        let longer = max(self.width, self.height)
        let aspect = picture.aspect
        let mask = AlphaMask(picture, leastAlpha: Self.leastAlpha)
        let edge = known ?? LogoEdge(picture, mask)
        var ground = Ground.absent
        var (rim, bleeds, isUneven) = (0, false, false)
        if let edge, edge.isTile(aspect) {
            switch edge.ground {
            case .color(let color):
                ground = .color(color)
                (rim, bleeds) = (edge.rim, edge.bleeds && aspect < 1.3)
                isUneven = edge.isUneven
            case .smooth: ground = .smooth
            case .busy where edge.isPicture(aspect, min(width, height)): ground = .picture
            case .busy: break
            }
        }
        var color: Color?
        if case .color(let known) = ground { color = known }
        var edgeDepth = rim
        if let edge, case .rounded = edge.shape, max(width, height) >= Self.leastSoft {
            roundEdge = Double(rim + Self.softPixels) / longer
            if rim > 0 { edgeDepth += Self.softPixels }
        } else if let edge, case .rounded = edge.shape, rim == 0 {
            roundEdge = 1 / longer
        } else {
            roundEdge = 0
        }
        let content: LogoInk
        if edgeDepth > 0 {
            var inner = picture.copy()
            inner.clearEdge(edgeDepth)
            content = LogoInk(inner, ground: color)
        } else {
            content = LogoInk(picture, ground: color)
        }
        // In a picture of one colour every pixel counts as content.
        ink = content.isEmpty ? LogoInk(picture, ground: nil) : content
        self.ground = ground
        self.bleeds = bleeds || content.isEmpty
        self.rim = Double(rim) / longer
        self.isUneven = isUneven
        silhouette = Double(picture.silhouetteArea) / (longer * longer)
        shares = GroundShare(picture, mask)
        kind =
            switch (ground, edge?.shape) {
            case (.picture, _): .photograph
            case (.color, _), (.smooth, _): .tile
            case (.absent, .disc): .disc
            case (.absent, _):
                self.width >= Self.wordmarkAspect * self.height ? .wordmark : .mark
            }
    }

    /// Returns the colour for the holes of a tile: white, or black if the tile is too bright; nil
    /// if the picture is not a tile with holes.
    static func holeColor(in picture: borrowing PixelBuffer) -> Color? {
        guard !picture.isOpaque else { return nil }
        let mask = AlphaMask(picture, leastAlpha: leastAlpha)
        let silhouette = mask.silhouette
        let (visible, area) = (Double(mask.area), Double(silhouette.area))
        guard visible <= (1 - leastHoles) * area, visible >= leastSolid * area,
            let edge = LogoEdge(picture, silhouette), edge.isTile(picture.aspect),
            edge.isUnbroken || edge.ground == .smooth
        else { return nil }
        let color = if case .color(let color) = edge.ground { color } else { edge.color }
        return Color.white.contrast(against: color) >= leastHoleContrast ? .white : .black
    }

    /// Returns the rectangle of a tile inside a margin of one colour, without the outermost pixels
    /// of the tile; nil if the opaque picture with this edge is not such a tile.
    static func tileBounds(in picture: borrowing PixelBuffer, _ margin: LogoEdge) -> PixelRect? {
        guard margin.shape == .rectangle, case .color(let color) = margin.ground, margin.rim == 0,
            margin.isUnbroken, var bounds = LogoInk(picture, ground: color).rectangle,
            bounds.width > leastTile, bounds.height > leastTile
        else { return nil }
        bounds = PixelRect(
            x: bounds.x + 1, y: bounds.y + 1, width: bounds.width - 2, height: bounds.height - 2)
        let tile = picture.part(bounds)
        guard let inner = LogoEdge(tile), inner.shape == .rectangle, inner.isUnbroken else {
            return nil
        }
        return bounds
    }

    /// Returns the position of the picture in emblems whose corners have this radius, in heights.
    ///
    /// - Parameter isOptical: Whether full shapes are drawn smaller, so that logos look equally
    ///   large in a row.
    func place(radius: Double, isOptical: Bool) -> PicturePlace {
        let longer = max(width, height)
        guard !ink.isEmpty else { return PicturePlace(size: 1) }
        switch ground {
        case .picture:
            return PicturePlace(size: (1 + 2 * Self.overscan) * longer / min(width, height))
        case .smooth: return PicturePlace(size: 1 + 2 * Self.overscan, cropped: Self.overscan / 2)
        case .color: return ownGroundPlace(radius)
        case .absent:
            let center = self.center
            var scale = ink.largestScale(around: center, inset: Self.inset, radius: radius)
            if isOptical {
                scale = min(scale, OpticalSize.scale(ofShare: silhouette) / longer)
            }
            return place(scale, around: center)
        }
    }

    /// The height of a name, as a share of the picture's height; nil if the content is not a name.
    var nameShare: Double? {
        !ink.isEmpty && isName ? Double(ink.height) / height : nil
    }

    private var isName: Bool {
        Double(ink.width) >= Self.wordmarkAspect * Double(ink.height)
    }

    /// Returns the position of a picture whose own background fills the emblem. The content stays
    /// where its designer placed it if it is centred, large enough and far enough from the outline.
    private func ownGroundPlace(_ radius: Double) -> PicturePlace {
        let longer = max(width, height)
        let natural = (1 + 2 * Self.overscan + 2 * rim) / longer
        let whole = (x: width / 2, y: height / 2)
        if bleeds { return place(natural, around: whole) }
        let middle = ink.middle
        let isCentred =
            max(abs(middle.x - whole.x), abs(middle.y - whole.y)) * natural <= 0.05
        let size = Double(ink.longerSide) * natural
        if isCentred, size >= 0.5,
            natural <= ink.largestScale(around: whole, inset: Self.ownInset, radius: radius)
        {
            return place(natural, around: whole)
        }
        let center = self.center
        let largest = ink.largestScale(around: center, inset: Self.inset, radius: radius)
        let wanted = max(natural, Self.leastContent / Double(ink.longerSide))
        return place(min(largest, wanted), around: center)
    }

    /// The optical centre of the content: the middle of its box, moved towards its centre of
    /// gravity.
    private var center: (x: Double, y: Double) {
        var middle = ink.middle
        let centroid = ink.centroid
        let most = Double(ink.longerSide) * 0.04
        func moved(_ from: Double, _ to: Double, by share: Double) -> Double {
            from + min(max((to - from) * share, -most), most)
        }
        middle.y = moved(middle.y, centroid.y, by: isName ? 1 : 0.5)
        if !isName { middle.x = moved(middle.x, centroid.x, by: 0.5) }
        return middle
    }

    private func place(_ scale: Double, around center: (x: Double, y: Double)) -> PicturePlace {
        PicturePlace(
            size: scale * max(width, height), centerX: center.x / width,
            centerY: center.y / height,
            cropped: ground == .absent || rim > 0 && roundEdge > 0 ? 0 : rim + Self.overscan / 2)
    }
}

extension PixelBuffer {
    fileprivate var aspect: Double {
        Double(max(width, height)) / Double(min(width, height))
    }
}

extension LogoStudy {
    /// Trims transparent margins if the recipe says so, and studies the remaining picture. Returns
    /// nil if no option needs a study, or if nothing of the picture is visible.
    init?(
        _ picture: inout Picture, _ size: inout (width: Double, height: Double), _ recipe: Recipe
    ) throws {
        guard recipe.studiesLogos || recipe.trim == .transparent else { return nil }
        var edge: LogoEdge?
        var copy = try picture.study(&size, trims: recipe.trim == .transparent, &edge)
        guard recipe.studiesLogos, !copy.isBlank else { return nil }
        let hole = recipe.fillsOwnGround ? LogoStudy.holeColor(in: copy) : nil
        if let hole { copy.fillHoles(with: hole, leastAlpha: LogoStudy.leastAlpha) }
        self.init(copy, edge: edge, hole: hole)
    }

    /// Sets the position of a picture of this exact size, if the recipe leaves it to the study.
    func place(
        _ size: (width: Double, height: Double), _ recipe: Recipe, _ style: inout EmblemStyle
    ) {
        guard style.mode == .fit else { return }
        let bringsGround = recipe.fillsOwnGround && ground != .absent
        guard bringsGround || recipe.padding == .round && ground == .absent else { return }
        guard style.width == .square else {
            // With an automatic width the emblem is as wide as the picture needs, so a padding is set
            // instead of a position.
            if !bringsGround {
                style.paddingPoints = min(
                    style.heightPoints * Self.inset, style.heightPoints / 4 - style.borderPoints)
            }
            return
        }
        let height = Double(style.box(for: size).height)
        let radius = (style.radiusPoints * style.scale - Double(style.inset)) / height
        style.place = place(radius: max(0, radius), isOptical: recipe.look == .logos)
    }

    /// Returns the height at which a name is drawn on an emblem, in pixels; nil if the picture is
    /// not a name.
    func nameHeight(in style: EmblemStyle, _ size: (width: Double, height: Double)) -> Double? {
        guard let share = nameShare else { return nil }
        return share * Double(style.placement(of: size).scaled.height)
    }
}

extension Recipe {
    /// Whether the background of a picture fills the emblem, if the picture has its own background.
    var fillsOwnGround: Bool { background == .own || background == .auto }
}
