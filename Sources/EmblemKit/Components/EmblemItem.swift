import FoundationEssentials

/// An item of a batch: a source with its own id, label, colours and badge.
///
/// ```swift
/// let items = merchants.map { merchant in
///     EmblemItem(
///         url: merchant.logo, id: merchant.id, label: merchant.name,
///         badge: merchant.news > 0 ? Badge(text: "\(merchant.news)") : nil)
/// }
/// ```
public struct EmblemItem: Hashable, Sendable {
    /// The source of the image.
    public var source: ImageSource
    /// The program's identifier for the item; the outcome returns it.
    public var id: String?
    /// The name of the person or thing shown, such as the name of a merchant. An avatar takes
    /// initials from it.
    public var label: String?
    /// The colours of this emblem; `nil` uses the colours of the batch.
    public var appearance: Emblem.Appearance?
    /// The badge over a corner; `nil` uses the badge of the batch.
    public var badge: Badge?

    /// Creates an item from any kind of source.
    public init(
        source: ImageSource, id: String? = nil, label: String? = nil,
        appearance: Emblem.Appearance? = nil, badge: Badge? = nil
    ) {
        self.source = source
        self.id = id
        self.label = label
        self.appearance = appearance
        self.badge = badge
    }

    /// Creates an item whose image is at `url`. Without a URL it shows the placeholder.
    public init(
        url: URL?, id: String? = nil, label: String? = nil,
        appearance: Emblem.Appearance? = nil, badge: Badge? = nil
    ) {
        self.init(
            source: .remote(url: url), id: id, label: label, appearance: appearance, badge: badge)
    }
}

/// A type that a batch accepts: an item, a source, or a custom type that describes an item.
public protocol EmblemItemConvertible {
    /// The item that describes this value.
    var emblemItem: EmblemItem { get }
}

extension EmblemItem: EmblemItemConvertible {
    public var emblemItem: EmblemItem { self }
}

extension ImageSource: EmblemItemConvertible {
    /// An item that has only a source.
    public var emblemItem: EmblemItem { EmblemItem(source: self) }
}
