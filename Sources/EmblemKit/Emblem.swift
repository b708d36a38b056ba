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
        case brand, info, success, warning, danger
        case category1, category2, category3, category4, category5
        case category6, category7, category8, category9, category10
    }

    /// A drawing that the library carries, in the foreground colour of the appearance.
    ///
    /// They stand where pictures of the system's symbol set would stand on Apple's systems.
    public enum Icon: String, CaseIterable, Hashable, Sendable {
        case accountBalance = "account-balance"
        case photo, person, building, card, wallet, chart, globe, lock, warning, check
        case searchOff = "search-off"
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
