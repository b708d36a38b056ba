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

    /// Reads the texts of a file: JSON, flat or nested, or lines of `"key" = "text";`.
    ///
    /// - Throws: ``EmblemError/texts(_:)`` with the file, the line and the reason.
    public init(contentsOf file: URL) throws(EmblemError) {
        let bytes = try rethrowing(
            FileIntake.read(FilePath(file.path), bytesLimit: StringsFile.bytesLimit)
                .bytes
        ) { (error: IntakeError) in
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
    /// The texts in the folder of the program, in the language of its environment. Without a file
    /// the bundle is empty.
    ///
    /// It replaces `Bundle.main` of Apple platforms and equals ``init(resources:languages:table:)``
    /// for the folder of the program, read once. If the file cannot be used, the state view that
    /// uses the bundle throws.
    public static let main: TextBundle = {
        let program = WorkerProgram.ownPath
        guard !program.isEmpty else { return [:] }
        do throws(EmblemError) {
            return try TextBundle(
                resources: URL(filePath: program).deletingLastPathComponent(), languages: nil)
        } catch {
            var broken: TextBundle = [:]
            broken.problem = error
            return broken
        }
    }()

    /// Reads the texts of a resource folder, such as `Bundle.module.bundleURL`, in the first
    /// language that has a file. Without a file the bundle is empty.
    ///
    /// For each language the file is `de.lproj/Localizable.strings` or `de.lproj/Localizable.json`.
    /// After all languages, `Base.lproj` is searched, and then the folder itself.
    ///
    /// - Parameters:
    ///   - resources: The folder.
    ///   - languages: The languages in order of preference, such as `pt-BR`, which falls back to
    ///     `pt`. `nil` uses the languages of the environment (`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`,
    ///     `LANG`).
    ///   - table: The name of the files without extension.
    /// - Throws: ``EmblemError/texts(_:)`` with the file, the line and the reason.
    public init(
        resources: URL, languages: [String]? = nil, table: String = "Localizable"
    ) throws(EmblemError) {
        let languages = languages ?? Self.languages(ProcessInfo.processInfo.environment)
        let folders = Self.fallbacks(languages).map { resources.appending(path: "\($0).lproj") }
        for folder in folders + [resources.appending(path: "Base.lproj"), resources] {
            for form in ["strings", "json"] {
                let file = folder.appending(path: "\(table).\(form)")
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                try self.init(contentsOf: file)
                return
            }
        }
        self.init([:])
    }

    /// Returns the languages with their fallbacks, such as `pt-BR` and `pt`, without duplicates.
    private static func fallbacks(_ languages: [String]) -> [String] {
        var all: [String] = []
        for language in languages {
            // A language name must not act as a path.
            guard language.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
            else { continue }
            var parts = language.split(separator: "-")
            while !parts.isEmpty {
                all.append(parts.joined(separator: "-"))
                parts.removeLast()
            }
        }
        return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns the languages of an environment; `de_AT.UTF-8` becomes `de-AT`.
    static func languages(_ environment: [String: String]) -> [String] {
        let list = environment["LANGUAGE"].map { $0.split(separator: ":").map(String.init) } ?? []
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        return (list + [locale].compactMap { $0 }).map { name in
            String(name.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
        }
    }
}
