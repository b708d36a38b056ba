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
    /// The most frequent colour along the edge of a picture with a ground.
    let edgeColor: Color?
    /// The colour behind the holes of a tile, such as letters that are cut out; nil without holes.
    let hole: Color?
    /// The sides on which the content runs off the picture, and must touch the emblem's edge.
    let cut: LogoSides
    /// The width of the frame that is cut off, as a share of the longer side of the picture.
    let rim: Double
    /// The width of the soft edge of a tile with round corners, and of its frame, as a share of the
    /// longer side; 0 for other tiles. It is cleared along the outline instead of being cropped.
    let roundEdge: Double
    /// Whether the ground is a gradient between colours that are close to each other.
    let isUneven: Bool
    /// The area inside the outline, divided by the area of a square with the longer side.
    let silhouette: Double
    /// The parts of the logo that are visible on a background.
    let shares: GroundShare
    /// Nil if hardly anything is visible.
    private let ink: LogoInk?
    /// Whether the picture has one colour, so that all of it is content.
    private let isEven: Bool
    private let width: Double
    private let height: Double

    /// The longer side of the small copy, in pixels.
    static let side = 128
    /// The least alpha of a pixel of the logo's shape; pixels with less are shadows.
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
    /// The largest aspect ratio of a picture whose sides may cut its content.
    private static let cutAspect = 1.3
    /// The share of a tile that is placed outside the emblem on each side, to hide lines along its
    /// edge.
    private static let overscan = 1.0 / 64

    /// - Parameter hole: the colour that was put behind the holes of a tile.
    private init(_ copy: borrowing StudyCopy, hole: Color?) {
        self.hole = hole
        let (width, height) = (copy.pixels.width, copy.pixels.height)
        (self.width, self.height) = (Double(width), Double(height))
        let longer = max(self.width, self.height)
        let aspect = copy.pixels.aspect
        let visible = AlphaMask(copy.pixels, leastAlpha: Self.leastAlpha)
        let edge = copy.edge ?? LogoEdge(copy.pixels, visible)
        var ground = edge.map { $0.isTile(aspect) ? $0.ground : .absent } ?? .absent
        if ground == .picture, edge?.isPicture(aspect, min(width, height)) != true {
            ground = .absent
        }
        self.ground = ground
        edgeColor = ground == .absent ? nil : edge?.color
        var color: Color?
        if case .color(let known) = ground { color = known }
        let rim = color == nil ? 0 : edge?.rim ?? 0
        isUneven = color != nil && edge?.isUneven == true
        var edgeDepth = rim
        switch edge?.shape {
        case .rounded where max(width, height) >= Self.leastSoft:
            roundEdge = Double(rim + Self.softPixels) / longer
            if rim > 0 { edgeDepth += Self.softPixels }
        case .rounded where rim == 0: roundEdge = 1 / longer
        default: roundEdge = 0
        }
        self.rim = Double(rim) / longer
        var content = visible
        if let color {
            content = AlphaMask(copy.pixels, unlike: color, tolerance: LogoInk.tolerance)
            if edgeDepth > 0 { content.formIntersection(visible.eroded(by: edgeDepth)) }
        }
        let known = LogoInk(content)
        isEven = known == nil && color != nil
        ink = known ?? LogoInk(visible)
        silhouette = Double(visible.silhouette.area) / (longer * longer)
        shares = GroundShare(copy.pixels, visible)
        switch ground {
        case .picture: kind = .photograph
        case .color, .smooth: kind = .tile
        case .absent:
            kind =
                edge?.shape == .disc
                ? .disc : self.width >= Self.wordmarkAspect * self.height ? .wordmark : .mark
        }
        let canCut =
            switch ground {
            case .absent: kind == .mark && copy.aspect < Self.cutAspect
            case .color: rim == 0 && !isEven && copy.aspect < Self.cutAspect
            case .smooth, .picture: false
            }
        cut =
            canCut
            ? .cutting(
                content, flush: copy.flush, near: copy.near, isFramed: ground != .absent)
            : []
    }

    /// Returns the colour for the holes of a tile: white, or black if the tile is too bright; nil
    /// if the picture is not a tile with holes.
    private static func holeColor(in picture: borrowing PixelBuffer) -> Color? {
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
            margin.isUnbroken,
            let ink = LogoInk(
                AlphaMask(picture, unlike: color, tolerance: LogoInk.tolerance)),
            ink.isRectangle, min(ink.box.width, ink.box.height) > leastTile
        else { return nil }
        let bounds = PixelRect(
            x: ink.box.x + 1, y: ink.box.y + 1, width: ink.box.width - 2,
            height: ink.box.height - 2)
        let tile = picture.part(bounds)
        guard let inner = LogoEdge(tile, AlphaMask(tile, leastAlpha: leastAlpha)),
            inner.shape == .rectangle, inner.isUnbroken
        else { return nil }
        return bounds
    }

    /// Returns the position of the picture in emblems whose corners have this radius, in heights.
    ///
    /// - Parameter isOptical: Whether full shapes are drawn smaller, so that logos look equally
    ///   large in a row.
    func place(radius: Double, isOptical: Bool) -> PicturePlace {
        let longer = max(width, height)
        guard let ink else { return PicturePlace(size: 1) }
        switch ground {
        case .picture:
            return PicturePlace(size: (1 + 2 * Self.overscan) * longer / min(width, height))
        case .smooth: return PicturePlace(size: 1 + 2 * Self.overscan, cropped: Self.overscan / 2)
        case .color: return ownGroundPlace(ink, radius)
        case .absent:
            let most = isOptical ? OpticalSize.scale(ofShare: silhouette) / longer : .infinity
            return place(ink, center(of: ink), radius, most: most)
        }
    }

    /// The height of a name, as a share of the picture's height; nil if the content is not a name.
    var nameShare: Double? {
        ink.flatMap { isName($0) ? Double($0.box.height) / height : nil }
    }

    private func isName(_ ink: LogoInk) -> Bool {
        Double(ink.box.width) >= Self.wordmarkAspect * Double(ink.box.height)
    }

    /// Returns the position of a picture whose own background fills the emblem. The content stays
    /// where its designer placed it if it is centred, large enough and far enough from the outline.
    private func ownGroundPlace(_ ink: LogoInk, _ radius: Double) -> PicturePlace {
        let natural = max(stripe ?? 0, (1 + 2 * Self.overscan + 2 * rim) / max(width, height))
        let whole = (x: width / 2, y: height / 2)
        if isEven || !cut.isEmpty { return place(natural, around: attached(whole, natural)) }
        let middle = ink.middle
        let isCentred =
            max(abs(middle.x - whole.x), abs(middle.y - whole.y)) * natural <= 0.05
        let size = Double(ink.longerSide) * natural
        if isCentred, size >= 0.5,
            natural <= ink.largestScale(around: whole, inset: Self.ownInset, radius: radius)
        {
            return place(natural, around: whole)
        }
        return place(
            ink, center(of: ink), radius,
            most: max(natural, Self.leastContent / Double(ink.longerSide)))
    }

    /// The optical centre of the content: the middle of its box, moved towards its centre of
    /// gravity.
    private func center(of ink: LogoInk) -> (x: Double, y: Double) {
        var middle = ink.middle
        let centroid = ink.centroid
        let most = Double(ink.longerSide) * 0.04
        func moved(_ from: Double, _ to: Double, by share: Double) -> Double {
            from + min(max((to - from) * share, -most), most)
        }
        middle.y = moved(middle.y, centroid.y, by: isName(ink) ? 1 : 0.5)
        if !isName(ink) { middle.x = moved(middle.x, centroid.x, by: 0.5) }
        return middle
    }

    /// Returns the largest position at which the content keeps its distance from the outline, except
    /// on the cut sides, which touch it.
    private func place(
        _ ink: LogoInk, _ center: (x: Double, y: Double), _ radius: Double, most: Double
    ) -> PicturePlace {
        if let stripe { return place(stripe, around: center) }
        var scale = most
        // The centre depends on the scale if a side touches the outline. Each round moves both
        // nearer to their final values.
        for _ in 0..<(cut.isEmpty ? 1 : 4) {
            scale = min(
                most,
                ink.largestScale(
                    around: attached(center, scale), inset: Self.inset, radius: radius, free: cut))
        }
        return place(scale, around: attached(center, scale))
    }

    /// The scale at which two opposite cut sides touch the outline; nil without such sides.
    private var stripe: Double? {
        if cut.isSuperset(of: [.left, .right]) { return (1 + 2 * Self.overscan) / width }
        if cut.isSuperset(of: [.top, .bottom]) { return (1 + 2 * Self.overscan) / height }
        return nil
    }

    /// Returns the centre at which a single cut side touches the outline of the emblem.
    private func attached(
        _ center: (x: Double, y: Double), _ scale: Double
    ) -> (x: Double, y: Double) {
        let reach = 0.5 / scale + Self.overscan * max(width, height)
        func attached(_ start: LogoSides, _ end: LogoSides, _ center: Double, _ length: Double)
            -> Double
        {
            switch (cut.contains(start), cut.contains(end)) {
            case (true, false): min(reach, length)
            case (false, true): max(length - reach, 0)
            default: center
            }
        }
        return (
            attached(.left, .right, center.x, width), attached(.top, .bottom, center.y, height)
        )
    }

    private func place(_ scale: Double, around center: (x: Double, y: Double)) -> PicturePlace {
        PicturePlace(
            size: scale * max(width, height), centerX: center.x / width,
            centerY: center.y / height,
            cropped: ground == .absent || rim > 0 && roundEdge > 0 ? 0 : rim + Self.overscan / 2)
    }
}

extension LogoStudy {
    /// Trims transparent margins if the recipe says so, and studies the remaining picture. Returns
    /// nil if no option needs a study, or if nothing of the picture is visible.
    init?(
        _ picture: inout Picture, _ size: inout (width: Double, height: Double), _ recipe: Recipe
    ) throws {
        guard recipe.studiesLogos || recipe.trim == .transparent else { return nil }
        var copy = try picture.study(&size, trims: recipe.trim == .transparent)
        guard recipe.studiesLogos, !copy.pixels.isBlank else { return nil }
        let hole = recipe.fillsOwnGround ? LogoStudy.holeColor(in: copy.pixels) : nil
        if let hole { copy.pixels.fillHoles(with: hole, leastAlpha: LogoStudy.leastAlpha) }
        self.init(copy, hole: hole)
    }

    /// Sets the position of a picture of this exact size, if the recipe leaves it to the study.
    func place(
        _ size: (width: Double, height: Double), _ recipe: Recipe, _ style: inout EmblemStyle
    ) {
        guard style.mode == .fit else { return }
        let bringsGround = recipe.fillsOwnGround && ground != .absent
        let isRound = recipe.padding == .round && ground == .absent
        guard style.width == .square, bringsGround || isRound else {
            // With an automatic width the emblem is as wide as the picture needs, so a padding is set
            // instead of a position.
            if isRound {
                style.paddingPoints = min(
                    style.heightPoints * Self.inset, style.heightPoints / 4 - style.borderPoints)
            }
            if recipe.look == .logos, !bringsGround, ground == .absent || recipe.padding != .round {
                style.contentScale = opticalScale(isSquare: style.width == .square)
            }
            return
        }
        let height = Double(style.box(for: size).height)
        let radius = (style.radiusPoints * style.scale - Double(style.inset)) / height
        style.place = place(radius: max(0, radius), isOptical: recipe.look == .logos)
    }

    /// Returns the scale at which the outline of the picture has its target area on an emblem without
    /// a position for it.
    private func opticalScale(isSquare: Bool) -> Double {
        let aspect = isSquare ? 1 : min(max(width / height, 1), Double(EmblemStyle.widestAspect))
        let longer = max(width, height) * min(aspect / width, 1 / height)
        return OpticalSize.scale(ofShare: silhouette * longer * longer)
    }

    /// Returns the height at which a name is drawn on an emblem, in pixels; nil if the picture is
    /// not a name.
    func nameHeight(in style: EmblemStyle, _ size: (width: Double, height: Double)) -> Double? {
        guard let share = nameShare else { return nil }
        return share * Double(style.placement(of: size).scaled.height)
    }
}

/// The size at which marks of different shapes look alike.
///
/// A mark that fits its box covers a share S: the area of its outline divided by the area of a
/// square as high as the box. It is drawn at √(T / S) of its size, with T = 0.55, but never larger
/// than it fits. The factor is 0.74 for a full square and 0.84 for a disc; a word twice as wide as
/// high keeps its size. T was chosen by comparing rows of real logos: with this value, squares look
/// neither too heavy nor too small.
enum OpticalSize {
    /// The target area T of an outline, as a share of the square.
    static let target = 0.55

    static func scale(ofShare share: Double) -> Double {
        guard share > target else { return 1 }
        return (target / share).squareRoot()
    }
}

extension Recipe {
    /// Whether the background of a picture fills the emblem, if the picture has its own background.
    var fillsOwnGround: Bool { background == .own || background == .auto }
}
