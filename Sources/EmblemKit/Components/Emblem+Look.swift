import Render

extension Emblem {
    /// A preset for one kind of image, like the tool's option `--look`. <doc:Logos> describes each
    /// look.
    ///
    /// ```swift
    /// var batch = EmblemBatch(urls: logos)
    /// batch.look = .logos
    /// ```
    ///
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
