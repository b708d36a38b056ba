import Artwork
import Raster
import Theming

/// The words in which an emblem is described.
public enum Emblem {
    /// The size of an emblem in points; its corner radius belongs to it.
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

    /// Which colours of the theme an emblem wears.
    public enum Appearance: String, CaseIterable, Hashable, Sendable {
        /// The brand's own colours.
        case brand
        /// Something to know.
        case info
        /// Something went well.
        case success
        /// Something needs attention.
        case warning
        /// Something went wrong.
        case danger
        /// The first of ten kinds that are told apart by colour.
        case category1
        /// The second of ten kinds that are told apart by colour.
        case category2
        /// The third of ten kinds that are told apart by colour.
        case category3
        /// The fourth of ten kinds that are told apart by colour.
        case category4
        /// The fifth of ten kinds that are told apart by colour.
        case category5
        /// The sixth of ten kinds that are told apart by colour.
        case category6
        /// The seventh of ten kinds that are told apart by colour.
        case category7
        /// The eighth of ten kinds that are told apart by colour.
        case category8
        /// The ninth of ten kinds that are told apart by colour.
        case category9
        /// The tenth of ten kinds that are told apart by colour.
        case category10
    }

    /// A drawing that the library carries, in the foreground colour of the appearance.
    ///
    /// They stand where pictures of the system's symbol set would stand on Apple's systems.
    public enum Icon: String, CaseIterable, Hashable, Sendable {
        /// A bank, with columns.
        case accountBalance = "account-balance"
        /// A picture in its frame.
        case photo
        /// A head and shoulders.
        case person
        /// A house of several floors.
        case building
        /// A payment card.
        case card
        /// A wallet.
        case wallet
        /// Bars of a chart.
        case chart
        /// The globe.
        case globe
        /// A padlock.
        case lock
        /// A triangle with an exclamation mark.
        case warning
        /// A check mark in a circle.
        case check
        /// A search that found nothing.
        case searchOff = "search-off"
        /// No connection.
        case wifiOff = "wifi-off"
    }
}

/// How a picture fills the space it is given; the counterpart of SwiftUI's `ContentMode`.
public enum ContentMode: String, CaseIterable, Hashable, Sendable {
    /// The whole picture is visible.
    case fit
    /// The picture covers the space; what reaches beyond is cut off evenly.
    case fill
}

extension Emblem.Layout {
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
    /// The two enumerations have the same cases; a test holds them equal.
    var value: EmblemAppearance { EmblemAppearance(rawValue: rawValue) ?? .brand }
}

extension Emblem.Icon {
    /// The two enumerations have the same cases; a test holds them equal.
    var value: BuiltInIcon { BuiltInIcon(rawValue: rawValue) ?? .accountBalance }
}

extension ContentMode {
    var value: Raster.ContentMode { self == .fit ? .fit : .fill }
}
