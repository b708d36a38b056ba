import Codecs

/// A built-in drawing, shown in the foreground colour of the appearance.
///
/// Icons replace the symbol set of Apple platforms.
public enum BuiltInIcon: String, CaseIterable, Hashable, Sendable {
    /// A bank with columns.
    case accountBalance = "account-balance"
    /// Everyday things of a bank's app.
    case photo, person, building, card, wallet, chart, globe, lock, warning, star, check
    /// A search without results.
    case searchOff = "search-off"
    /// No network connection.
    case wifiOff = "wifi-off"

    /// The SVG document: 24 x 24, only `currentColor`, marked as a template.
    package var svg: String {
        // Lines two units wide on whole units are sharp at 24 pixels and its multiples.
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"24\" height=\"24\""
            + " viewBox=\"0 0 24 24\" data-template=\"true\" fill=\"none\" stroke=\"currentColor\""
            + " stroke-width=\"2\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
            + body + "</svg>"
    }

    package func picture() throws(DecodeError) -> VectorPicture {
        try VectorPicture(svg: Array(svg.utf8).span, limits: DecodeLimits())
    }
}

extension BuiltInIcon {
    var body: String {
        switch self {
        case .accountBalance:
            "<path d='M3 9V8l9-5 9 5v1z'/>"
                + "<path d='M6 13v4M12 13v4M18 13v4M3 21h18'/>"
        case .photo:
            "<rect x='3' y='4' width='18' height='16' rx='3'/>"
                + "<path d='M8.5 9h.01' stroke-width='3'/>"
                + "<path d='M3.5 17l4-4a1.5 1.5 0 0 1 2.1 0l2.4 2.4 2.9-2.9"
                + "a1.5 1.5 0 0 1 2.1 0l4 4'/>"
        case .person:
            "<circle cx='12' cy='8' r='5'/>"
                + "<path d='M3 21c.7-3.1 4.3-5 9-5s8.3 1.9 9 5'/>"
        case .building:
            "<path d='M6 21V5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v16M3 21h18M10 21v-4h4v4'/>"
                + "<path d='M10 7.5h.01M14 7.5h.01M10 12h.01M14 12h.01'/>"
        case .card:
            "<rect x='2' y='5' width='20' height='14' rx='3'/>"
                + "<path d='M2 10h20M6 15h3'/>"
        case .wallet:
            "<path d='M17 7V5a2 2 0 0 0-2-2H5a2 2 0 0 0 0 4h14a2 2 0 0 1 2 2v10"
                + "a2 2 0 0 1-2 2H6a3 3 0 0 1-3-3V5'/>"
                + "<path d='M16 14h.01' stroke-width='2.5'/>"
        case .chart:
            "<path d='M3 3v15a3 3 0 0 0 3 3h15'/>"
                + "<path d='M8 13v4M13 7v10M18 10v7'/>"
        case .globe:
            "<circle cx='12' cy='12' r='9'/>"
                + "<path d='M3 12h18M12 3c2.6 2.7 4 5.7 4 9s-1.4 6.3-4 9"
                + "c-2.6-2.7-4-5.7-4-9s1.4-6.3 4-9z'/>"
        case .lock:
            "<rect x='4' y='10' width='16' height='11' rx='3'/>"
                + "<path d='M8 10V7a4 4 0 0 1 8 0v3M12 15v1'/>"
        case .warning:
            "<path d='M10.25 4l-7.5 13a2 2 0 0 0 1.75 3h15a2 2 0 0 0 1.75-3l-7.5-13"
                + "a2 2 0 0 0-3.5 0z'/>"
                + "<path d='M12 9v4M12 16.5h.01'/>"
        case .star:
            "<path d='M12 3.4L14.65 9.26 21.03 9.96 16.28 14.29 17.58 20.59 12 17.4"
                + " 6.42 20.59 7.72 14.29 2.97 9.96 9.35 9.26z'/>"
        case .check:
            "<circle cx='12' cy='12' r='9'/>"
                + "<path d='M8 12.5l2.8 2.8L16 9.8'/>"
        case .searchOff:
            "<circle cx='11' cy='11' r='8'/>"
                + "<path d='M21 21l-4.3-4.3M8.5 8.5l5 5M13.5 8.5l-5 5'/>"
        case .wifiOff:
            // Three arcs around the dot, with a gap for the stroke that crosses them.
            "<path d='M3.5 3.5l17 17M12 19.5h.01'/>"
                + "<path d='M2.1 9.6A14 14 0 0 1 4.11 7.93M9.67 5.7A14 14 0 0 1 21.9 9.6'/>"
                + "<path d='M5.28 12.78A9.5 9.5 0 0 1 7.29 11.25'/>"
                + "<path d='M14.22 10.26A9.5 9.5 0 0 1 18.72 12.78'/>"
                + "<path d='M8.46 15.96A5 5 0 0 1 10.71 14.67'/>"
        }
    }
}
