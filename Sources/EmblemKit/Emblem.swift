import Artwork
import Raster
import Theming

/// A namespace for the properties of emblems.
public enum Emblem {
    /// The size of an emblem in points, with its corner radius.
    public enum Layout: String, CaseIterable, Hashable, Sendable {
        /// 40 points, radius 8.
        case small
        /// 48 points, radius 12.
        case medium
        /// 64 points, radius 16.
        case large
        /// 80 points, radius 20.
        case xLarge
    }

    /// The colours of the theme that an emblem uses.
    public enum Appearance: String, CaseIterable, Hashable, Sendable {
        /// The colours of the brand.
        case brand
        /// Colours for information.
        case info
        /// Colours for success.
        case success
        /// Colours for a warning.
        case warning
        /// Colours for an error.
        case danger
        /// The first of ten categories distinguished by colour.
        case category1
        /// The second of ten categories distinguished by colour.
        case category2
        /// The third of ten categories distinguished by colour.
        case category3
        /// The fourth of ten categories distinguished by colour.
        case category4
        /// The fifth of ten categories distinguished by colour.
        case category5
        /// The sixth of ten categories distinguished by colour.
        case category6
        /// The seventh of ten categories distinguished by colour.
        case category7
        /// The eighth of ten categories distinguished by colour.
        case category8
        /// The ninth of ten categories distinguished by colour.
        case category9
        /// The tenth of ten categories distinguished by colour.
        case category10
    }

    /// A built-in drawing, shown in the foreground colour of the appearance.
    ///
    /// Icons replace the symbol set of Apple platforms.
    public enum Icon: String, CaseIterable, Hashable, Sendable {
        /// A bank with columns.
        case accountBalance = "account-balance"
        /// A framed picture.
        case photo
        /// A head and shoulders.
        case person
        /// A house of several floors.
        case building
        /// A payment card.
        case card
        /// A wallet.
        case wallet
        /// A bar chart.
        case chart
        /// A globe.
        case globe
        /// A padlock.
        case lock
        /// A triangle with an exclamation mark.
        case warning
        /// A star with five points.
        case star
        /// A check mark in a circle.
        case check
        /// A search without results.
        case searchOff = "search-off"
        /// No network connection.
        case wifiOff = "wifi-off"
    }
}

/// The rule for how an image fills its space. Corresponds to SwiftUI's `ContentMode`.
public enum ContentMode: String, CaseIterable, Hashable, Sendable {
    /// The whole image is visible.
    case fit
    /// The image covers the space; the parts outside are cropped equally on both sides.
    case fill
}

extension Emblem.Layout {
    /// The height in points in the current theme, such as for the `height` attribute of an HTML
    /// `<img>`.
    public var points: Double { Theme.current.tokens.height(of: value) }

    var value: EmblemLayout {
        switch self {
        case .small: .small
        case .medium: .medium
        case .large: .large
        case .xLarge: .xLarge
        }
    }
}

extension Emblem.Appearance {
    /// The case with the same name; a test checks that every case has one.
    var value: EmblemAppearance { EmblemAppearance(rawValue: rawValue) ?? .brand }
}

extension Emblem.Icon {
    /// The case with the same name; a test checks that every case has one.
    var value: BuiltInIcon { BuiltInIcon(rawValue: rawValue) ?? .accountBalance }
}

extension ContentMode {
    var value: Raster.ContentMode { self == .fit ? .fit : .fill }
}
