import Artwork
import Transport

/// A folder for a web server: pictures whose names hold their contents, so that they can be cached for
/// ever, an index of them, a style sheet, and a page of markup to copy from.
package struct WebSite: OutputTarget {
    static let index = "index.json"
    static let sheet = "emblem.css"
    static let page = "snippets.html"

    package var kind: TargetKind { .web }
    private let tokens: ThemeTokens
    private let layouts: [ComponentLayout]

    package init(_ tokens: ThemeTokens, layouts: [ComponentLayout]) {
        self.tokens = tokens
        self.layouts = layouts
    }

    package func path(of picture: TargetPicture) -> RelativePath? {
        // The folder may be OUT itself.
        let name = ReservedName.avoiding(picture.name(for: .web)) {
            [Self.index, Self.sheet, Self.page].contains($0) || RunFile.isName($0)
        }
        let digest = picture.digest?.prefix(8) ?? "########"
        return RelativePath(
            "\(name)/\(picture.layout)-\(digest).\(picture.fileExtension)")
    }

    package var documents: [TargetDocument] {
        [
            TargetDocument(
                TargetFile(Self.index, WebIndex.head), entry: WebIndex.entry, tail: WebIndex.tail),
            TargetDocument(TargetFile(Self.sheet, WebSheet.text(tokens, layouts))),
            TargetDocument(
                TargetFile(Self.page, WebPage.head), entry: WebPage.entry, tail: WebPage.tail),
        ]
    }
}
