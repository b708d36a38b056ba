import Render
import Theming

extension Emblem {
    /// How a picture stands in its emblem, beside its content mode: what the options `--padding`,
    /// `--border`, `--trim`, `--balance` and `--background` of the tool say. <doc:Logos> tells what
    /// each does.
    ///
    /// ```swift
    /// var batch = EmblemBatch(urls: logos)
    /// batch.fitting.trim = .auto
    /// batch.fitting.padding = .safe
    /// ```
    public struct Fitting: Hashable, Sendable {
        /// Kept free between the picture and the edge of the emblem, or its border. Together they take
        /// a quarter of the height at most; more counts as that.
        public var padding = Padding.points(0)
        /// The thickness of the border in points.
        public var border = 0.0
        /// The margins that are cut off the picture before it is fitted.
        public var trim = Trim.none
        /// The rule for the size of pictures next to each other.
        public var balance = Balance.none
        /// The background of the picture.
        public var background = Background.appearance

        /// As large as fits, on the background of the appearance.
        public init() {}
    }

    /// The distance of a picture from the edge of its emblem.
    public enum Padding: Hashable, Sendable {
        case points(Double)
        /// Of the height of the emblem.
        case percent(Double)
        /// For each picture the least at which the rounded corners cut nothing visible of it.
        case safe
    }

    /// What is cut off pictures.
    public enum Trim: String, CaseIterable, Hashable, Sendable {
        /// Nothing.
        case none
        /// Margins that are transparent or of one colour.
        case auto
    }

    /// The rule for the size of pictures next to each other.
    public enum Balance: String, CaseIterable, Hashable, Sendable {
        /// As large as fits.
        case none
        /// All outlines have the same area, as far as that fits.
        case optical
    }

    /// The rule for the background of a picture.
    public enum Background: Hashable, Sendable {
        /// The background of the appearance.
        case appearance
        /// The first of these on which the picture is legible; of none, the appearance and then
        /// `category8`.
        case auto([Emblem.Appearance] = [])
    }
}

extension Emblem.Fitting {
    /// Sets the values that are not the default; they override the look of the recipe.
    func apply(to recipe: inout Recipe) {
        switch padding {
        case .points(0): break
        case .points(let points): recipe.padding = .points(Self.usable(points))
        case .percent(let percent): recipe.padding = .percent(Self.usable(percent))
        case .safe: recipe.padding = .safe
        }
        recipe.borderPoints = Self.usable(border)
        if trim == .auto { recipe.trim = .auto }
        if balance == .optical { recipe.balance = .optical }
        if case .auto(let list) = background {
            recipe.background = .auto
            recipe.backgroundFrom = list.map(\.value)
        }
    }

    /// No less than nothing, and a number.
    private static func usable(_ amount: Double) -> Double {
        amount > 0 && amount.isFinite ? amount : 0
    }
}
