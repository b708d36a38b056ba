import Artwork
import FoundationEssentials
import System
import Transport

/// Texts by key, which replace the built-in texts of components.
///
/// On Apple platforms a `Bundle` holds such texts. Here the texts come from a file or a literal:
///
/// ```swift
/// let german: TextBundle = [
///     "stateView.noResultsTitle": "Nichts gefunden",
///     "stateView.noResultsSubtitle": "Versuche es mit anderen Worten",
/// ]
/// ```
public struct TextBundle: Hashable, Sendable {
    let texts: [String: String]
    /// The error of an unreadable file, if it is reported only when the bundle is used.
    var problem: EmblemError?

    /// Creates a bundle from texts in memory.
    public init(_ texts: [String: String]) {
        self.texts = texts
    }

    /// Reads the texts of a JSON file, flat or nested.
    ///
    /// - Throws: ``EmblemError/texts(_:)`` with the file, the line and the reason.
    public init(contentsOf file: URL) throws(EmblemError) {
        let bytes = try rethrowing(
            FileIntake.read(FilePath(file.path), bytesLimit: StringsFile.bytesLimit)
                .bytes
        ) { (error: ItemFailure) in
            EmblemError.texts("\(file.path): \(error.libraryReason)")
        }
        texts = try rethrowing(StringsFile.read(bytes)) { (error: StringsError) in
            EmblemError.texts("\(file.path): \(error).")
        }
    }

    /// Returns the text for a key.
    public subscript(key: String) -> String? { texts[key] }
}

extension TextBundle: ExpressibleByDictionaryLiteral {
    /// Creates a bundle from a literal. The last text for a key is used.
    public init(dictionaryLiteral elements: (String, String)...) {
        texts = Dictionary(elements) { _, last in last }
    }
}

extension TextBundle {
    /// The texts of the file `Localizable.json` in the folder of the program or in a resource bundle
    /// there, read once. Without a file the bundle is empty.
    ///
    /// It replaces `Bundle.main` of Apple platforms. If the file cannot be used, the state view that
    /// uses the bundle throws.
    public static let main: TextBundle = {
        guard let file = ProgramFolder.file(named: ["Localizable.json"]) else { return [:] }
        do throws(EmblemError) {
            return try TextBundle(contentsOf: file)
        } catch {
            var broken: TextBundle = [:]
            broken.problem = error
            return broken
        }
    }()
}

extension [TextBundle] {
    /// The texts next to the program: ``TextBundle/main`` alone, for `bundles: .main`.
    public static var main: [TextBundle] { [.main] }
}
