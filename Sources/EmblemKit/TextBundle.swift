import Artwork
import FoundationEssentials
import Transport

/// Texts by key, which take the place of those that come with a component.
///
/// On Apple's systems a `Bundle` carries them; here it is a file, or a literal in a program:
///
/// ```swift
/// let german: TextBundle = [
///     "stateView.noResultsTitle": "Nichts gefunden",
///     "stateView.noResultsSubtitle": "Versuche es mit anderen Worten",
/// ]
/// ```
public struct TextBundle: Hashable, Sendable {
    let texts: [String: String]
    /// Why the texts cannot be read, where that is known only when they are used.
    var problem: EmblemError?

    /// Texts that a program has already.
    public init(_ texts: [String: String]) {
        self.texts = texts
    }

    /// The texts of a file: JSON, flat or nested, or lines of `"key" = "text";`.
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

    /// The text of a key.
    public subscript(key: String) -> String? { texts[key] }
}

extension TextBundle: ExpressibleByDictionaryLiteral {
    /// The last of several texts for a key holds.
    public init(dictionaryLiteral elements: (String, String)...) {
        texts = Dictionary(elements) { _, last in last }
    }
}
