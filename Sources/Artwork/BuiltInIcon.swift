import Codecs

/// An icon that we have drawn ourselves and carry in the code.
package enum BuiltInIcon: String, CaseIterable, Hashable, Sendable {
    case accountBalance = "account-balance"
    case photo, person, building, card, wallet, chart, globe, lock, warning, check
    case searchOff = "search-off"
    case wifiOff = "wifi-off"

    /// The icon that a source such as `icon:globe` names.
    package init?(source: String) {
        let mark = "icon:"
        guard source.hasPrefix(mark) else { return nil }
        self.init(rawValue: String(source.dropFirst(mark.count)))
    }

    /// The drawing as a document: 24 x 24, only `currentColor`, marked as a template.
    package var svg: String {
        // Lines two units wide between whole units: sharp at 24 pixels and its multiples.
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"24\" height=\"24\""
            + " viewBox=\"0 0 24 24\" data-template=\"true\" fill=\"none\" stroke=\"currentColor\""
            + " stroke-width=\"2\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
            + body + "</svg>"
    }

    /// The drawing, loaded.
    package func picture() throws(DecodeError) -> VectorPicture {
        try VectorPicture(svg: Array(svg.utf8).span, limits: DecodeLimits())
    }
}
