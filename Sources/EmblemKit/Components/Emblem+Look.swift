import Render

extension Emblem {
    /// A named set of settings for one kind of picture, like the option `--look` of the tool.
    /// <doc:Logos> describes the decisions of each look.
    ///
    /// ```swift
    /// var batch = EmblemBatch(urls: logos)
    /// batch.look = .logos
    /// ```
    ///
    /// A content mode or a part of a ``Fitting`` that is not the default overrides the look.
    public enum Look: String, CaseIterable, Hashable, Sendable {
        /// Pictures as large as fits, on the background of the appearance.
        case plain
        /// Logos of any kind. Marks and names keep a distance from the round outline, and a picture
        /// with its own ground fills the emblem. Other logos get the background on which most of
        /// them shows.
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
