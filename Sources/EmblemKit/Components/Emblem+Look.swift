import Raster
import Render
import Theming

extension Emblem {
    /// The position and size of an image in its emblem, in addition to the content mode.
    /// Corresponds to the tool's options `--padding`, `--border`, `--trim` and `--background`;
    /// see <doc:Logos>.
    ///
    /// ```swift
    /// var batch = EmblemBatch(urls: logos)
    /// batch.fitting.trim = .auto
    /// batch.fitting.padding = .safe
    /// ```
    public struct Fitting: Hashable, Sendable {
        /// The space between the image and the edge of the emblem or its border. Padding and border
        /// together use at most a quarter of the height at each side; larger values are reduced.
        public var padding = Padding.points(0)
        /// The thickness of the border in points.
        public var border = 0.0
        /// The margins that are cut off the image before it is fitted.
        public var trim = Trim.none
        /// The background of the image.
        public var background = Background.appearance

        /// Creates a fitting that leaves every value to the look.
        public init() {}
    }

    /// The distance between an image and the edge of its emblem.
    public enum Padding: Hashable, Sendable {
        /// A distance in points.
        case points(Double)
        /// A percentage of the height of the emblem.
        case percent(Double)
        /// For each image, the smallest padding at which the rounded corners hide no visible part
        /// of it.
        case safe
    }

    /// The margins that are cut off an image.
    public enum Trim: String, CaseIterable, Hashable, Sendable {
        /// No margins.
        case none
        /// Margins that are transparent or of one colour.
        case auto
    }

    /// The rule for the background of an image.
    public enum Background: Hashable, Sendable {
        /// The background of the appearance.
        case appearance
        /// The image's own background, if it has one.
        case own
        /// The image's own background, if it has one. Other images get the background of the
        /// appearance or of `category8` on which most of the image is visible.
        case auto
        /// One colour in every colour scheme; its alpha is ignored.
        case color(ThemeColor.Shade)
    }
}

extension Emblem.Fitting {
    /// Sets the values that differ from their defaults. They override the values of the ``Look``.
    func apply(to recipe: inout Recipe) {
        switch padding {
        case .points(0): break
        case .points(let points): recipe.padding = .points(Self.usable(points))
        case .percent(let percent): recipe.padding = .percent(Self.usable(percent))
        case .safe: recipe.padding = .safe
        }
        recipe.borderPoints = Self.usable(border)
        if trim == .auto { recipe.trim = .auto }
        switch background {
        case .appearance: break
        case .own: recipe.background = .own
        case .auto: recipe.background = .auto
        case .color(let shade):
            var color = shade
            color.alpha = 255
            recipe.background = .color(color)
        }
    }

    private static func usable(_ amount: Double) -> Double {
        amount > 0 && amount.isFinite ? amount : 0
    }
}

extension Emblem {
    /// A preset for one kind of image, like the tool's option `--look`. <doc:Logos> describes each
    /// look.
    ///
    /// ```swift
    /// var batch = EmblemBatch(urls: logos)
    /// batch.look = .photos
    /// ```
    ///
    /// Batches of emblems have the look `logos` by default, single components and avatars `plain`.
    /// A content mode or a ``Fitting`` value that differs from the default overrides the look.
    public enum Look: String, CaseIterable, Hashable, Sendable {
        /// Images as large as possible, on the background of the appearance.
        case plain
        /// Logos of any kind. Marks and wordmarks keep a distance from the rounded corners, and an
        /// image with an opaque background fills the emblem. Other logos get the background on
        /// which most of the logo is visible.
        case logos
        /// Photographs, which fill the emblem and are cropped to their centre.
        case photos
        /// Pictograms of one colour, drawn in the foreground colour at half the height.
        case icons

        var value: Render.Look {
            switch self {
            case .plain: .plain
            case .logos: .logos
            case .photos: .photos
            case .icons: .icons
            }
        }
    }
}
