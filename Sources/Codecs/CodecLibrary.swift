import CLibLCMS
import CShims
import Glibc

/// An installed library behind formats.
package struct CodecLibrary: Sendable {
    /// How a library comes into the process that the program is not linked with.
    package struct Opening: Sendable {
        /// What the linker calls it.
        let file: String
        /// Workers that were made in advance have it, too.
        var isInAllWorkers = false
        /// Whether it is installed; opens it.
        let isFound: @Sendable () -> Bool
        /// Opens it with all that it keeps in files of its own, for a process that will open none
        /// later.
        let prepare: @Sendable () -> Void
    }

    package let name: String
    private let ask: @Sendable () -> String
    /// `nil` where the program is linked with it.
    let opening: Opening?

    init(
        _ name: String, version: @autoclosure @escaping @Sendable () -> String,
        opening: Opening? = nil
    ) {
        self.name = name
        ask = version
        self.opening = opening
    }

    /// The version that is there; of libraries that do not tell, or that would have to be opened to
    /// be asked, the one that the program was built against.
    package var version: String { ask() }

    /// What tells one release of its file from another, of those that are opened late; opens nothing.
    package var fileMark: String? { opening.map { LibraryFile.mark(of: $0.file) } }

    /// Whether it is installed; opens one that is opened late.
    package var isFound: Bool { opening?.isFound() ?? true }
}

extension CodecLibrary {
    /// The libraries of all formats, of colour profiles and of text, in a fixed order.
    package static let all: [CodecLibrary] = {
        var all: [CodecLibrary] = []
        for library in ImageFormat.allCases.flatMap(\.libraries) + [lcms] + DrawingLibraries.text
        where !all.contains(where: { $0.name == library.name }) {
            all.append(library)
        }
        return all
    }()

    /// Opens every library that is opened late, for a process that will open none later.
    package static func prepare() {
        for library in all { library.opening?.prepare() }
    }

    /// lcms2 counts in tens: 2140 is 2.14.
    private static let lcms = CodecLibrary("lcms2", version: lcmsVersion)

    private static var lcmsVersion: String {
        let version = cmsGetEncodedCMMversion()
        return "\(version / 1000).\(version % 1000 / 10)"
    }
}

/// Whose code reads or writes a format: `emblem formats` and the records tell it.
package struct CodecName: Sendable {
    private let fast: String
    private let system: String

    /// The same whatever is chosen.
    init(_ code: String) {
        self.init(fast: code, system: code)
    }

    init(fast: String, system: String) {
        self.fast = fast
        self.system = system
    }

    package subscript(_ choice: CodecChoice) -> String {
        switch choice {
        case .fast: fast
        case .system: system
        }
    }
}

/// Whose code reads and writes the formats that both sides know.
package enum CodecChoice: String, CaseIterable, Hashable, Sendable {
    /// Code of our own where it was measured to be quicker and proven to judge alike.
    case fast
    /// libpng, libjpeg-turbo and libwebp alone.
    case system
}

/// The file of a library that is not open, where those lie that the program is linked with.
enum LibraryFile {
    /// The name that its release gives it and its length: the same wherever this release is
    /// installed. A dash where it lies elsewhere.
    static func mark(of name: String) -> String {
        guard let folder = unsafe emb_library_folder() else { return "-" }
        let path = unsafe String(cString: folder) + "/" + name
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return "-" }
        return "\(target(of: path) ?? name) \(facts.st_size)"
    }

    /// Where a link leads, as it says.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 256)
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
