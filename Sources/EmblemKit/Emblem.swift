import Artwork
import Theming

@_exported import enum Artwork.BadgeCorner
@_exported import enum Artwork.BuiltInIcon
@_exported import struct Artwork.EdgeInsets
@_exported import struct Artwork.StateStyle
@_exported import struct Artwork.TextSettings
@_exported import enum Artwork.TextSize
@_exported import enum Artwork.TextWeight
@_exported import enum Codecs.EncodeQuality
@_exported import enum Raster.ContentMode
@_exported import enum Theming.AvatarLayout
@_exported import enum Theming.BadgeAppearance
@_exported import enum Theming.ColorScheme
@_exported import enum Theming.EmblemAppearance
@_exported import enum Theming.EmblemLayout
@_exported import struct Theming.ThemeColor

/// A namespace for the properties of emblems.
public enum Emblem {
    /// The size of an emblem in points, with its corner radius.
    public typealias Layout = EmblemLayout
    /// The meaning of an emblem, which determines its three colours.
    public typealias Appearance = EmblemAppearance
    /// A built-in drawing, shown in the foreground colour of the appearance.
    public typealias Icon = BuiltInIcon
}

extension EmblemLayout {
    /// The height in points in the current theme, such as for the `height` attribute of an HTML
    /// `<img>`.
    public var points: Double { Theme.current.tokens.height(of: self) }
}
