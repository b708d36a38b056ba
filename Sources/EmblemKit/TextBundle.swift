import Artwork
import FoundationEssentials
import Transport

/// Texts by key, which replace the built-in texts of components.
///
/// On Apple platforms a `Bundle` holds them. Here they come from a file or a literal:
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

    /// Reads the texts of a file: JSON, flat or nested, or lines of `"key" = "text";`.
    ///
    /// - Throws: ``EmblemError/texts(_:)`` with the file, the line and the reason.
    public init(contentsOf file: URL) throws(EmblemError) {
        let bytes: [UInt8]
        do throws(IntakeError) {
            bytes = try FileIntake.read(FilePath(file.path), bytesLimit: StringsFile.bytesLimit)
                .bytes
        } catch {
            throw .texts("\(file.path): \(error.libraryReason)")
        }
        do throws(StringsError) {
            texts = try StringsFile.read(bytes)
        } catch {
            throw .texts("\(file.path): \(error).")
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
