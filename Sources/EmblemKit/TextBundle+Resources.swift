import FoundationEssentials

extension TextBundle {
    /// The texts that lie beside the program, in the language of its environment; without a file no
    /// texts.
    ///
    /// It stands where `Bundle.main` stands on Apple's systems, and is
    /// ``init(resources:languages:table:)`` for the folder of the program, read once. A file that
    /// cannot be used is an error of the state view that uses it.
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

    /// The texts of a folder of resources, such as `Bundle.module.bundleURL`, in the first of the
    /// languages for which there are any; without a file no texts.
    ///
    /// For each language the file is `de.lproj/Localizable.strings` or `de.lproj/Localizable.json`;
    /// after all languages `Base.lproj` is looked at, and last the folder itself.
    ///
    /// - Parameters:
    ///   - resources: the folder.
    ///   - languages: as in `pt-BR`, which `pt` stands in for; `nil` takes those of the environment
    ///     (`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`).
    ///   - table: the name of the files.
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

    /// `pt-BR` and then `pt`, each language once.
    private static func fallbacks(_ languages: [String]) -> [String] {
        var all: [String] = []
        for language in languages {
            // A language is no path.
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

    /// The languages of an environment: `de_AT.UTF-8` is `de-AT`.
    static func languages(_ environment: [String: String]) -> [String] {
        let list = environment["LANGUAGE"].map { $0.split(separator: ":").map(String.init) } ?? []
        let one = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty }
        return (list + [one].compactMap { $0 }).map { name in
            String(name.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
        }
    }
}
