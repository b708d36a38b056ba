import Codecs
import Engine

/// The formats of pages, the one that a browser should rather take first; the last one every browser
/// can show.
enum WebFormat {
    private static let order: [OutputFormat] = {
        let known: [OutputFormat] = [.avif, .webp, .png, .jpeg]
        return OutputFormat.allCases.filter { !known.contains($0) } + known
    }()

    /// The formats of these pictures.
    static func ordered(_ pictures: [OutputRecord]) -> [OutputFormat] {
        let extensions = Set(pictures.map(\.fileExtension))
        return order.filter { extensions.contains($0.fileExtension) }
    }

    /// As a `type` attribute names it.
    static func mediaType(of format: OutputFormat) -> String { "image/\(format.name)" }
}
