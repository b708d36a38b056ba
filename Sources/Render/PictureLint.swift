/// Something about a picture that its owner should look at; it was shown all the same.
///
/// A closed list, known by the texts under which manifests hold it.
package enum PictureLint: Hashable, Sendable {
    /// A filter of an SVG asks for what is not drawn here as browsers draw it.
    case unsupportedFilter
    /// Something else of an SVG is not drawn here as browsers draw it.
    case unsupportedFeature
    /// Nothing of the picture is visible.
    case blank

    /// The text of a manifest.
    package var text: String {
        switch self {
        case .unsupportedFilter: "unsupported-filter"
        case .unsupportedFeature: "unsupported-feature"
        case .blank: "blank"
        }
    }

    /// Reads the text of a manifest; nil for anything else.
    package init?(text: some StringProtocol) {
        switch text {
        case "unsupported-filter": self = .unsupportedFilter
        case "unsupported-feature": self = .unsupportedFeature
        case "blank": self = .blank
        default: return nil
        }
    }
}
