import CLibLCMS
import CShims
import Glibc

/// A library that a format needs, linked or opened at runtime.
package struct CodecLibrary: Sendable {
    /// The file of a library that is opened at runtime instead of linked, and the functions that
    /// open it.
    package struct Opening: Sendable {
        /// The file name of the library's shared object.
        let file: String
        /// Whether every worker process opens the library before it decodes an image.
        var isInAllWorkers = false
        /// Returns whether the library is installed; opens it.
        let isFound: @Sendable () -> Bool
        /// Opens the library and all of its data files, for a process that cannot open files later.
        let prepare: @Sendable () -> Void
    }

    package let name: String
    private let readVersion: @Sendable () -> String
    /// `nil` if the program is linked with the library.
    let opening: Opening?

    init(
        _ name: String, version: @autoclosure @escaping @Sendable () -> String,
        opening: Opening? = nil
    ) {
        self.name = name
        readVersion = version
        self.opening = opening
    }

    /// The installed version. For a library that does not report it, or would have to be opened to
    /// report it, the version at build time.
    package var version: String { readVersion() }

    /// The file name and length of a library that is opened at runtime, which tell its releases
    /// apart; nil for a linked library. Does not open the library.
    package var fileMark: String? { opening.map { LibraryFile.mark(of: $0.file) } }

    /// Whether the library is installed; opens it if it is opened at runtime.
    package var isFound: Bool { opening?.isFound() ?? true }
}

extension CodecLibrary {
    /// The libraries of all formats, colour profiles and text, in a fixed order.
    package static let all: [CodecLibrary] = {
        var all: [CodecLibrary] = []
        for library in ImageFormat.allCases.flatMap(\.libraries) + [lcms] + DrawingLibraries.text
        where !all.contains(where: { $0.name == library.name }) {
            all.append(library)
        }
        return all
    }()

    /// Opens every runtime library, for a process that cannot open files later.
    package static func prepare() {
        for library in all { library.opening?.prepare() }
    }

    private static let lcms = CodecLibrary("lcms2", version: lcmsVersion)

    private static var lcmsVersion: String {
        let version = cmsGetEncodedCMMversion()
        return "\(version / 1000).\(version % 1000 / 10)"
    }
}

/// The name of a format's codec, as shown by `emblem formats` and in records.
package struct CodecName: Sendable {
    private let fast: String
    private let system: String

    /// Creates a name that does not depend on the codec choice.
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

/// The choice between two implementations, for formats that have both.
package enum CodecChoice: String, CaseIterable, Hashable, Sendable {
    /// This package's own codecs where they are faster than the libraries and reject the same
    /// files.
    case fast
    /// Only libpng, libjpeg-turbo and libwebp.
    case system
}

/// Identifies the release of a library by its file, without opening it. The file is expected in the
/// folder of the linked libraries.
enum LibraryFile {
    /// Returns the versioned file name and the length of the file, which are the same for one
    /// release on every machine; returns a dash if the folder does not have the file.
    static func mark(of name: String) -> String {
        guard let folder = unsafe emb_library_folder() else { return "-" }
        let path = unsafe String(cString: folder) + "/" + name
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return "-" }
        return "\(target(of: path) ?? name) \(facts.st_size)"
    }

    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 256)
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
