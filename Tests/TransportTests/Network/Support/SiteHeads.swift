/// A kind of site: the icons that it names, and the choice of a person for an output of 160 pixels.
struct SiteStyle: Sendable {
    struct Element: Sendable {
        let name: String
        let attributes: [(String, String)]

        init(_ name: String, _ attributes: (String, String)...) {
            self.name = name
            self.attributes = attributes
        }
    }

    let name: String
    let elements: [Element]
    /// The reference as written in the page; nil if `/favicon.ico` or the manifest is the answer.
    let choice: String?

    init(_ name: String, choice: String?, _ elements: Element...) {
        self.name = name
        self.choice = choice
        self.elements = elements
    }

    private static func link(_ rel: String, _ href: String, _ sizes: String? = nil) -> Element {
        sizes.map { Element("link", ("rel", rel), ("href", href), ("sizes", $0)) }
            ?? Element("link", ("rel", rel), ("href", href))
    }

    private static func typed(
        _ rel: String, _ type: String, _ href: String, _ sizes: String? = nil
    ) -> Element {
        sizes.map { Element("link", ("rel", rel), ("type", type), ("sizes", $0), ("href", href)) }
            ?? Element("link", ("rel", rel), ("type", type), ("href", href))
    }

    static let all: [SiteStyle] = [
        SiteStyle(
            "an icon of the nineties", choice: "/images/site.ico",
            link("shortcut icon", "/images/site.ico")),
        SiteStyle(
            "a favicon generator", choice: "/apple-touch-icon.png",
            link("apple-touch-icon", "/apple-touch-icon.png", "180x180"),
            typed("icon", "image/png", "/favicon-32x32.png", "32x32"),
            typed("icon", "image/png", "/favicon-16x16.png", "16x16"),
            link("manifest", "/site.webmanifest"),
            Element(
                "link", ("rel", "mask-icon"), ("href", "/safari-pinned-tab.svg"),
                ("color", "#5bbad5")),
            Element("meta", ("name", "theme-color"), ("content", "#ffffff"))),
        SiteStyle(
            "the modern minimum", choice: "/icon.svg",
            link("icon", "/favicon.ico", "any"),
            typed("icon", "image/svg+xml", "/icon.svg"),
            link("apple-touch-icon", "/apple-touch-icon.png"),
            link("manifest", "/manifest.webmanifest")),
        SiteStyle(
            "a blog system", choice: "https://blog.example/wp/cropped-logo-180x180.png",
            link("icon", "https://blog.example/wp/cropped-logo-32x32.png", "32x32"),
            link("icon", "https://blog.example/wp/cropped-logo-192x192.png", "192x192"),
            link("apple-touch-icon", "https://blog.example/wp/cropped-logo-180x180.png"),
            Element(
                "meta", ("name", "msapplication-TileImage"),
                ("content", "https://blog.example/wp/cropped-logo-270x270.png"))),
        SiteStyle(
            "a shop system", choice: "//cdn.shop.example/files/mark.png?crop=center&v=3&width=32",
            typed(
                "shortcut icon", "image/png",
                "//cdn.shop.example/files/mark.png?crop=center&v=3&width=32")),
        SiteStyle(
            "a code host", choice: "https://assets.example/favicons/favicon.svg",
            Element(
                "link", ("rel", "mask-icon"), ("href", "https://assets.example/pinned.svg"),
                ("color", "#000000")),
            Element(
                "link", ("rel", "alternate icon"), ("class", "js-site-favicon"),
                ("type", "image/png"), ("href", "https://assets.example/favicons/favicon.png")),
            Element(
                "link", ("rel", "icon"), ("class", "js-site-favicon"), ("type", "image/svg+xml"),
                ("href", "https://assets.example/favicons/favicon.svg"))),
        SiteStyle(
            "a web framework", choice: "/apple-icon.png?4f1c",
            typed("icon", "image/x-icon", "/favicon.ico", "48x48"),
            typed("icon", "image/png", "/icon.png?9ab2", "512x512"),
            typed("apple-touch-icon", "image/png", "/apple-icon.png?4f1c", "180x180")),
        SiteStyle(
            "every size of the old phones", choice: "/i/apple-icon-180x180.png",
            link("apple-touch-icon", "/i/apple-icon-57x57.png", "57x57"),
            link("apple-touch-icon", "/i/apple-icon-60x60.png", "60x60"),
            link("apple-touch-icon", "/i/apple-icon-76x76.png", "76x76"),
            link("apple-touch-icon", "/i/apple-icon-120x120.png", "120x120"),
            link("apple-touch-icon", "/i/apple-icon-152x152.png", "152x152"),
            link("apple-touch-icon", "/i/apple-icon-180x180.png", "180x180"),
            typed("icon", "image/png", "/i/android-icon-192x192.png", "192x192"),
            typed("icon", "image/png", "/i/favicon-96x96.png", "96x96")),
        SiteStyle(
            "only small touch icons", choice: "touch-152.png",
            link("apple-touch-icon-precomposed", "touch-72.png", "72x72"),
            link("apple-touch-icon-precomposed", "touch-114.png", "114x114"),
            link("apple-touch-icon-precomposed", "touch-152.png", "152x152")),
        SiteStyle(
            "icons for two schemes", choice: "/light.png",
            Element(
                "link", ("rel", "icon"), ("href", "/dark.png"), ("sizes", "192x192"),
                ("media", "(prefers-color-scheme: dark)")),
            Element(
                "link", ("rel", "icon"), ("href", "/light.png"), ("sizes", "192x192"),
                ("media", "(prefers-color-scheme: light)"))),
        SiteStyle(
            "a logo for shared links", choice: "https://static.example/logo.png",
            link("icon", "/favicon.ico", "16x16"),
            Element(
                "meta", ("property", "og:logo"), ("content", "https://static.example/logo.png")),
            Element(
                "meta", ("property", "og:image"), ("content", "https://static.example/share.jpg"))),
        SiteStyle(
            "a silhouette next to a tiny icon", choice: "/pinned.svg",
            link("icon", "/favicon-16x16.png", "16x16"),
            Element("link", ("rel", "mask-icon"), ("href", "/pinned.svg"), ("color", "red"))),
        SiteStyle(
            "an icon in the page",
            choice: "data:image/svg+xml,%3Csvg%20viewBox='0%200%201%201'/%3E",
            Element(
                "link", ("rel", "icon"),
                ("href", "data:image/svg+xml,%3Csvg%20viewBox='0%200%201%201'/%3E"))),
        SiteStyle(
            "an SVG with another type", choice: "/brand/mark.svg?v=2",
            typed("icon", "image/x-icon", "/brand/mark.svg?v=2"),
            link("apple-touch-icon", "/touch.png")),
        SiteStyle(
            "a PNG declared as an SVG", choice: "/touch.png",
            typed("icon", "image/svg+xml", "/favicon-32.png"),
            link("apple-touch-icon", "/touch.png")),
        SiteStyle(
            "an ICO with many sizes and a large PNG", choice: "/logo512.png",
            typed("icon", "image/x-icon", "/favicon.ico", "16x16 32x32 48x48 64x64"),
            typed("icon", "image/png", "/logo512.png", "512x512")),
        SiteStyle(
            "sizes in file names only", choice: "/assets/favicon-196x196.png",
            link("icon", "/assets/favicon-32x32.png"),
            link("icon", "/assets/favicon-196x196.png"),
            link("icon", "/assets/favicon-16x16.png")),
        SiteStyle(
            "a large icon behind a small one with the same relation", choice: "/b.png",
            link("icon", "/a.png", "48x48"), link("icon", "/b.png", "256x256"),
            link("stylesheet", "/icon.css"), link("preload", "/icon.woff2")),
        SiteStyle("no icon at all", choice: nil, link("stylesheet", "/site.css")),
        SiteStyle(
            "a web manifest alone", choice: nil, link("manifest", "/app/manifest.json")),
    ]
}

/// A way of writing a page around the elements.
struct PageStyle: Sendable {
    let name: String
    let page: @Sendable ([SiteStyle.Element]) -> String

    private static func text(
        _ elements: [SiteStyle.Element], quote: String = "\"", end: String = ">",
        between: String = "\n", upper: Bool = false, reversed: Bool = false
    ) -> String {
        elements.map { element in
            let attributes = reversed ? element.attributes.reversed() : element.attributes
            let words = attributes.map { name, value in
                let value = quote == "'" ? value.replacing("'", with: "&#39;") : value
                let plain = quote.isEmpty && (value.contains(" ") || value.contains("'"))
                let mark = plain ? "\"" : quote
                return "\(upper ? name.uppercased() : name)=\(mark)\(value)\(mark)"
            }
            let name = upper ? element.name.uppercased() : element.name
            return "<\(name) \(words.joined(separator: " "))\(end)"
        }.joined(separator: between)
    }

    static let decoy = #"<link rel="icon" href="/wrong.svg" type="image/svg+xml">"#

    static let all: [PageStyle] = [
        PageStyle(name: "plain") { "<!DOCTYPE html>\n<html><head>\(text($0))</head><body></body>" },
        PageStyle(name: "XHTML") {
            "<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0\"><html><head>"
                + text($0, end: " />") + "</head></html>"
        },
        PageStyle(name: "upper case") { "<HTML><HEAD>\(text($0, upper: true))</HEAD>" },
        PageStyle(name: "single quotes, other order") {
            "<head>\(text($0, quote: "'", reversed: true))</head>"
        },
        PageStyle(name: "no quotes, no head") {
            "<!doctype html><title>A page</title>" + text($0, quote: "", between: "")
        },
        PageStyle(name: "references in attributes") {
            "<head>" + text($0).replacing("&", with: "&amp;") + "</head>"
        },
        PageStyle(name: "commented decoys") {
            "<head><!-- \(decoy) --><!--[if IE]>\(decoy)<![endif]-->\(text($0))<!---->"
        },
        PageStyle(name: "scripts with tags") {
            "<head><script>var a='\(decoy)';if(1<2){document.write(\"<link>\")}</script>"
                + "<style>a::after{content:'\(decoy)'}</style>" + text($0)
                + "<noscript>\(decoy)</noscript><title>\(decoy)</title>"
        },
        PageStyle(name: "line breaks in tags") {
            "<head>" + text($0, end: "\n\t>").replacing("\" ", with: "\"\r\n\t\t") + "</head>"
        },
        PageStyle(name: "a long script before") {
            "<head><script>" + String(repeating: "x<y;", count: 30_000) + "</script>" + text($0)
        },
        PageStyle(name: "unclosed and unknown tags") {
            "<head><meta charset=utf-8><foo bar='>'><p><div id=x class=\"a>b\">" + text($0)
                + "<a href=/>" + "<"
        },
        PageStyle(name: "cut in a later tag") { text($0) + "\n<link rel=icon href=\"/wrong.svg" },
        PageStyle(name: "data attributes and duplicates") {
            "<head>"
                + text($0).replacing(
                    "<link ", with: "<link data-n-head=\"ssr\" data-href=\"/wrong.svg\" "
                )
                .replacing("\">", with: "\" rel=\"none\" href=\"/wrong.svg\">")
        },
        PageStyle(name: "a byte-order mark and spaces") {
            "\u{FEFF}  \n<html lang=de><head>\(text($0).replacing("=\"", with: " = \" "))</head>"
        },
    ]
}
