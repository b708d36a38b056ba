import FoundationEssentials

/// One of many that a batch makes emblems or avatars of: a source, and what is its own about it.
///
/// ```swift
/// let items = merchants.map { merchant in
///     EmblemItem(
///         url: merchant.logo, id: merchant.id, label: merchant.name,
///         badge: merchant.news > 0 ? Badge(text: "\(merchant.news)") : nil)
/// }
/// ```
public struct EmblemItem: Hashable, Sendable {
    /// Where its picture comes from.
    public var source: ImageSource
    /// What the program calls it; the outcome has it too.
    public var id: String?
    /// Whom or what it shows, such as the name of a merchant; an avatar takes initials from it.
    public var label: String?
    /// The colours that its emblem wears; `nil` takes those of the batch.
    public var appearance: Emblem.Appearance?
    /// What lies over its corner; `nil` takes that of the batch.
    public var badge: Badge?

    /// An item whose picture comes from anywhere.
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

    /// An item whose picture is at `url`; without a URL it shows the placeholder.
    public init(
        url: URL?, id: String? = nil, label: String? = nil,
        appearance: Emblem.Appearance? = nil, badge: Badge? = nil
    ) {
        self.init(
            source: .remote(url: url), id: id, label: label, appearance: appearance, badge: badge)
    }
}

/// What a batch can be made of: items, bare sources, or a type of yours that says which item it is.
public protocol EmblemItemConvertible {
    /// The item that it is.
    var emblemItem: EmblemItem { get }
}

extension EmblemItem: EmblemItemConvertible {
    public var emblemItem: EmblemItem { self }
}

extension ImageSource: EmblemItemConvertible {
    /// An item with nothing of its own but the source.
    public var emblemItem: EmblemItem { EmblemItem(source: self) }
}
