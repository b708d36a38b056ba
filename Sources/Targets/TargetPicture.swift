import Artwork
import Engine
import Render
import Theming

/// What is known of a picture when its path is looked for.
package struct TargetPicture: Sendable {
    package let item: BatchItem
    package let variant: Variant
    /// Pixels.
    package let height: Int
    package let fileExtension: String
    /// The beginning of the digest of its bytes; nil before it is drawn.
    package let digest: String?
    /// The run and the item have no other layout.
    package let isOnlyLayout: Bool
    /// The item has no other picture in its target.
    package let isOnlyPicture: Bool

    package init(
        item: BatchItem, variant: Variant, height: Int, fileExtension: String, digest: String?,
        isOnlyLayout: Bool, isOnlyPicture: Bool
    ) {
        self.item = item
        self.variant = variant
        self.height = height
        self.fileExtension = fileExtension
        self.digest = digest
        self.isOnlyLayout = isOnlyLayout
        self.isOnlyPicture = isOnlyPicture
    }

    /// The name of the item, as the target has to write it.
    func name(for kind: TargetKind) -> String { item.otherNames[kind.rawValue] ?? item.name }

    /// The name of its layout.
    var layout: String { variant.layout.name }
    var component: String { variant.layout.component.rawValue }
    var scale: Double { variant.scale }
    var isDark: Bool { variant.scheme == .dark }

    /// `~dark`, and `@2x` where it is not 1.
    var marks: String {
        (isDark ? "~dark" : "") + scaleMark
    }

    private var scaleMark: String {
        guard scale != 1 else { return "" }
        return "@\(Int(exactly: scale).map(String.init) ?? "\(scale)")x"
    }
}
