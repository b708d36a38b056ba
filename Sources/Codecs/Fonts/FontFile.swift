import Digest
import Glibc

/// A font file of the fixed set, identified by its path in a Debian package or next to the program.
package struct FontFile: Hashable, Sendable {
    package let path: String
    package let package: String
    /// Whether text cannot be drawn without this file. Without an optional one, some scripts show
    /// boxes.
    package let isNeeded: Bool

    package init(path: String, package: String, isNeeded: Bool = true) {
        self.path = path
        self.package = package
        self.isNeeded = isNeeded
    }

    init(listed path: String, package: String, isNeeded: Bool = true) {
        self.init(
            path: FontFolder.ofThisProgram.path(of: path), package: package, isNeeded: isNeeded)
    }

    /// The most table entries that a fingerprint reads; no font has more.
    private static let tablesLimit = 64

    package var isReadable: Bool { unsafe access(path, R_OK) == 0 }

    /// Returns a short fingerprint, which distinguishes releases of a font but not forgeries.
    ///
    /// A font begins with a directory that holds a checksum of each table. The fingerprint covers
    /// the directory and the length, so that forty files need only forty short reads.
    package func fingerprint() throws(FontError) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? .missing(file: path, package: package)
                : .unreadable(file: path, package: package)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG
        else { throw .unreadable(file: path, package: package) }
        var directory = [UInt8](repeating: 0, count: 12 + 16 * Self.tablesLimit)
        func readDirectory(at offset: Int) -> Int {
            unsafe directory.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
            }
        }
        var count = readDirectory(at: 0)
        // The header of a font collection has the offsets of its fonts. Reads the directory of the
        // first font.
        if count > 16, directory.starts(with: Array("ttcf".utf8)) {
            count = readDirectory(at: directory[12..<16].reduce(0) { $0 << 8 | Int($1) })
        }
        guard count > 12 else { throw .unreadable(file: path, package: package) }
        let tables = min(Int(directory[4]) << 8 | Int(directory[5]), Self.tablesLimit)
        let length = min(count, 12 + 16 * tables)
        let sum = CRC32.checksum(directory.span.extracting(first: length))
        return String(UInt64(bitPattern: Int64(facts.st_size)), radix: 16) + "-"
            + String(sum, radix: 16)
    }
}

/// The only fonts that text is drawn with. They are listed because they determine the output.
extension FontFile {
    package static let all = usual + wide

    /// Latin, Greek, Cyrillic, Hebrew and symbols: enough for most texts, and quick to load.
    static let usual: [FontFile] =
        ["Regular", "Medium", "SemiBold", "Bold", "Italic", "Light"].map {
            FontFile(
                listed: "/usr/share/fonts/opentype/inter/Inter-\($0).otf", package: "fonts-inter")
        }
        + ["Sans", "Sans-Bold", "Serif", "SansMono"].map {
            FontFile(
                listed: "/usr/share/fonts/truetype/dejavu/DejaVu\($0).ttf",
                package: "fonts-dejavu-core")
        }

    /// The fonts for all other characters, in three packages of 21 MB together: Asian scripts in
    /// the variant for user interfaces, Chinese, Japanese and Korean in one file, and emoji.
    static let wide: [FontFile] =
        wideScripts.flatMap { script in
            ["Regular", "Bold"].map {
                FontFile(
                    listed: "/usr/share/fonts/truetype/noto/NotoSans\(script)UI-\($0).ttf",
                    package: "fonts-noto-ui-core", isNeeded: false)
            }
        } + [
            FontFile(
                listed: "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
                package: "fonts-wqy-microhei", isNeeded: false),
            FontFile(
                listed: "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf",
                package: "fonts-noto-color-emoji", isNeeded: false),
        ]

    /// The script names as in the file names, without spaces.
    static let wideScripts = [
        "Arabic", "Bengali", "Devanagari", "Gujarati", "Gurmukhi", "Kannada", "Khmer", "Lao",
        "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thai",
    ]

    /// The families of the usual fonts, followed by the fallbacks.
    static let usualFamilies = ["Inter", "DejaVu Sans"]
    static let wideFamilies =
        ["Inter"] + wideScripts.map { "Noto Sans \($0) UI" }
        + ["DejaVu Sans", eastAsianFamily, emojiFamily]
    /// The family that covers Chinese, Japanese and Korean.
    static let eastAsianFamily = "WenQuanYi Micro Hei"
    /// The only font with colour bitmaps.
    package static let emojiFamily = "Noto Color Emoji"
}

/// A folder of fonts shipped with the program, for machines without installed fonts. A release
/// archive has it at `share/emblem/fonts`, next to the folder of the program.
package struct FontFolder: Sendable {
    private let path: String?

    /// The folder that belongs to the running program.
    static let ofThisProgram: FontFolder = {
        guard let path = unsafe realpath("/proc/self/exe", nil) else {
            return FontFolder(ofProgram: "")
        }
        defer { unsafe free(path) }
        return FontFolder(ofProgram: unsafe String(cString: path))
    }()

    package init(ofProgram program: String) {
        let folders = program.split(separator: "/").dropLast(2)
        let path = "/" + (folders + ["share", "emblem", "fonts"]).joined(separator: "/")
        self.path = unsafe program.hasPrefix("/") && access(path, X_OK) == 0 ? path : nil
    }

    /// Returns the path of a listed font: in this folder if it exists there, else in the system.
    package func path(of listed: String) -> String {
        guard let path, let name = listed.split(separator: "/").last else { return listed }
        let own = "\(path)/\(name)"
        return unsafe access(own, R_OK) == 0 ? own : listed
    }
}
