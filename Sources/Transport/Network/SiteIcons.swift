import Notation

/// An icon that a page or its web manifest names.
package struct SiteIcon: Sendable, Hashable {
    /// The kind of the element, in the order of preference among icons of one size.
    package enum Kind: Int, Sendable {
        case icon, manifest, touch, logo
        /// An icon of a web manifest with wide margins, for masks of any shape.
        case maskable
        /// A silhouette in one colour.
        case mask
    }

    /// The reference as written in the page.
    package internal(set) var reference: String
    package let kind: Kind
    package let isVector: Bool
    /// The shorter side in pixels, as declared or as usual for the kind.
    package let size: Int
    /// Whether the icon is meant for dark screens, if it is meant for one scheme only.
    package internal(set) var isDark: Bool?

    /// - Parameters:
    ///   - sizes: The text of `sizes`, such as `16x16 32x32`.
    ///   - type: The declared media type.
    init(_ reference: String, _ kind: Kind, sizes: String = "", type: String = "") {
        self.reference = reference
        self.kind = kind
        let name = Self.fileName(reference)
        let type = type.lowercased()
        let isRaster = Self.rasterExtensions.contains { name.hasSuffix($0) }
        isVector =
            name.hasSuffix(".svg") || reference.lowercased().hasPrefix("data:image/svg")
            || kind == .mask || type.contains("svg") && !isRaster
        size = Self.declaredSize(sizes) ?? Self.sizeInName(name) ?? Self.usualSize(kind, name, type)
    }

    private static let rasterExtensions = [".png", ".ico", ".jpg", ".jpeg", ".gif", ".webp"]

    /// Returns the last part of the path in lower case; empty for a `data:` URI.
    private static func fileName(_ reference: String) -> String {
        guard URLGrammar.scheme(of: reference.utf8) != "data" else { return "" }
        let path = reference.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = path.split(separator: UInt8(ascii: "/")).last ?? path[...]
        return String(Substring(last)).lowercased()
    }

    /// Returns the largest of the declared sizes; nil if none can be read.
    private static func declaredSize(_ text: String) -> Int? {
        text.lowercased().split { $0 == " " || $0 == "," || $0 == ";" }
            .compactMap { size in
                let sides = size.split { $0 == "x" || $0 == "×" || $0 == "*" }.map { Int($0) }
                guard let first = sides.first ?? nil, let last = sides.last ?? nil else {
                    return nil
                }
                return limited(min(first, last))
            }
            .max()
    }

    /// Returns the size in a file name such as `icon-192.png` or `favicon-32x32.png`.
    private static func sizeInName(_ name: String) -> Int? {
        name.utf8.split { [0x2D, 0x2E, 0x5F, 0x40].contains($0) }.compactMap { part -> Int? in
            let sides = part.split(separator: UInt8(ascii: "x")).map { Int(Substring($0)) }
            guard sides.count <= 2, let first = sides.first ?? nil, let last = sides.last ?? nil,
                (16...1_024).contains(min(first, last))
            else { return nil }
            return min(first, last)
        }.last
    }

    private static func limited(_ size: Int) -> Int? { (1...65_536).contains(size) ? size : nil }

    private static func usualSize(_ kind: Kind, _ name: String, _ type: String) -> Int {
        switch kind {
        case .touch: 180
        case .manifest, .maskable: 192
        case .logo: 512
        case .icon, .mask: name.hasSuffix(".ico") || type.contains("icon") ? 32 : 64
        }
    }
}

extension SiteIcon {
    /// Returns the icons in the order in which to try them: vectors, then the smallest of at least
    /// `pixels`, then the largest.
    ///
    /// An icon for masks has margins or a single colour, so it follows the other icons that are
    /// large enough. A raster icon below half of `pixels` would be shown blurred, so it follows the
    /// silhouette. Of equal icons, the last one is preferred, as in browsers.
    package static func ranked(_ icons: [SiteIcon], atLeast pixels: Int, isDark: Bool) -> [SiteIcon]
    {
        let keys = icons.enumerated().map { order, icon in
            let place = icon.place(atLeast: pixels)
            let distance = icon.isVector ? 0 : place <= lastLargeEnough ? icon.size : -icon.size
            let isOfOtherScheme = icon.isDark.map { $0 != isDark } ?? false
            return (icon, [isOfOtherScheme ? 1 : 0, place, distance, icon.kind.rawValue, -order])
        }
        return keys.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
    }

    /// Whether the icon can be shown at `pixels` without enlargement.
    func isLargeEnough(for pixels: Int) -> Bool {
        place(atLeast: pixels) < Self.lastLargeEnough
    }

    private static let lastLargeEnough = 2

    private func place(atLeast pixels: Int) -> Int {
        switch (kind, isVector) {
        case (.mask, _): 4
        case (.maskable, true): Self.lastLargeEnough
        case (_, true): 0
        case (.maskable, false) where size >= pixels: Self.lastLargeEnough
        case _ where size >= pixels: 1
        case _ where size * 2 >= pixels: 3
        default: 5
        }
    }
}

/// The icons that a page names in its tags.
package struct SiteIcons: Sendable, Equatable {
    /// The limit of icons; later ones are ignored.
    private static let limit = 64
    /// The limit of bytes of all references, since hundreds of sites may be visited at once.
    private static let bytesLimit = 64 << 10

    private var byteCount = 0
    package private(set) var icons: [SiteIcon] = []
    /// The reference to the web manifest.
    package private(set) var manifest: String?
    /// The URL that references are relative to, if it is not the page.
    package private(set) var base: String?

    init() {}

    /// Reads the tags of a page, which may end anywhere.
    package init(html: [UInt8]) {
        var tags = HTMLTags(html)
        while let tag = tags.next(), icons.count < Self.limit {
            switch tag.name {
            case "link": addLink(tag.attributes)
            case "base" where base == nil: base = tag.attributes["href"].flatMap(Self.reference)
            case "meta": addLogo(tag.attributes)
            default: break
            }
        }
    }

    /// Reads the icons of a web manifest; empty if it is not one.
    package init(manifest bytes: [UInt8]) {
        guard let json = try? JSONParser.parse(bytes.span) else { return }
        for icon in (json["icons"]?.elements ?? []).prefix(Self.limit) {
            let purposes = Self.words(icon["purpose"]?.stringValue ?? "any")
            guard let source = icon["src"]?.stringValue.flatMap(Self.reference),
                purposes.isEmpty || !purposes.isDisjoint(with: ["any", "maskable"])
            else { continue }
            let isPlain = purposes.isEmpty || purposes.contains("any")
            add(
                SiteIcon(
                    source, isPlain ? .manifest : .maskable,
                    sizes: icon["sizes"]?.stringValue ?? "", type: icon["type"]?.stringValue ?? ""))
        }
    }

    private mutating func addLink(_ attributes: [String: String]) {
        guard let reference = attributes["href"].flatMap(Self.reference) else { return }
        let relations = Self.words(attributes["rel"] ?? "")
        let kind: SiteIcon.Kind
        if relations.contains("icon") {
            kind = .icon
        } else if relations.contains("apple-touch-icon")
            || relations.contains("apple-touch-icon-precomposed")
        {
            kind = .touch
        } else if relations.contains("mask-icon") {
            kind = .mask
        } else {
            if relations.contains("manifest"), manifest == nil { manifest = reference }
            return
        }
        var icon = SiteIcon(
            reference, kind, sizes: attributes["sizes"] ?? "", type: attributes["type"] ?? "")
        icon.isDark = Self.isDark(attributes["media"] ?? "")
        add(icon)
    }

    private mutating func addLogo(_ attributes: [String: String]) {
        guard Self.words(attributes["property"] ?? attributes["name"] ?? "").contains("og:logo"),
            let reference = attributes["content"].flatMap(Self.reference)
        else { return }
        add(SiteIcon(reference, .logo))
    }

    /// Adds an icon, unless the references would become too long together.
    private mutating func add(_ icon: SiteIcon) {
        let count = icon.reference.utf8.count
        guard byteCount + count <= Self.bytesLimit else { return }
        byteCount += count
        icons.append(icon)
    }

    /// Returns the scheme that a media query names; nil if it names none.
    private static func isDark(_ media: String) -> Bool? {
        let query = media.lowercased().filter { $0 != " " }
        if query.contains("prefers-color-scheme:dark") { return true }
        return query.contains("prefers-color-scheme:light") ? false : nil
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.lowercased().split { $0.isWhitespace }.map { String($0) })
    }

    /// Returns a reference as browsers read it: without the spaces around it, and without tabs and
    /// line breaks. Returns nil for one that names nothing.
    private static func reference(_ text: String) -> String? {
        let kept = text.utf8.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let start = kept.drop { $0 <= 0x20 }
        let end = start.lastIndex { $0 > 0x20 } ?? start.startIndex
        let reference = String(decoding: start[..<min(end + 1, start.endIndex)], as: UTF8.self)
        return reference.isEmpty || reference.hasPrefix("#") ? nil : reference
    }
}
