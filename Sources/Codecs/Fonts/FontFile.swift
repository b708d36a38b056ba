import Digest
import Glibc

/// One font file of the fixed set, by its path: in its Debian package, or beside the program.
package struct FontFile: Hashable, Sendable {
    package let path: String
    /// The Debian package that holds it.
    package let package: String
    /// The tool draws no text without it; without the others some scripts come out as boxes.
    package let isNeeded: Bool

    package init(path: String, package: String, isNeeded: Bool = true) {
        self.path = path
        self.package = package
        self.isNeeded = isNeeded
    }

    /// One of the set, by its path in its package.
    init(listed path: String, package: String, isNeeded: Bool = true) {
        self.init(path: FontFolder.ours.path(of: path), package: package, isNeeded: isNeeded)
    }

    /// More tables than any font has; the directory of that many is what a fingerprint reads.
    private static let tablesLimit = 64

    /// There is a file at that path that may be read.
    package var isThere: Bool { unsafe access(path, R_OK) == 0 }

    /// A short fingerprint of the file's content, to tell one release of a font from another.
    ///
    /// A font begins with a directory that holds a checksum of each of its tables: that and the
    /// length stand for the whole, so that forty files cost no more than forty short reads. It is
    /// no defence against forgery.
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
        // A collection begins with where its fonts begin.
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

/// The fonts that text may be drawn with. Which they are is part of what the tool draws, so they
/// are named one by one and found nowhere else.
extension FontFile {
    /// Every font, the first choice first.
    package static let all = usual + wide

    /// Latin, Greek, Cyrillic, Hebrew, signs: most texts need no other, and they are quickly read.
    static let usual: [FontFile] =
        ["Regular", "Medium", "SemiBold", "Bold", "Italic"].map {
            FontFile(
                listed: "/usr/share/fonts/opentype/inter/Inter-\($0).otf", package: "fonts-inter")
        }
        + ["Sans", "Sans-Bold", "Serif", "SansMono"].map {
            FontFile(
                listed: "/usr/share/fonts/truetype/dejavu/DejaVu\($0).ttf",
                package: "fonts-dejavu-core")
        }

    /// What the usual ones lack, in three packages of 21 MB together: scripts of Asia in the cut
    /// that is made for screens, Chinese, Japanese and Korean in one file, and emoji.
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

    /// As the fonts are named, which have no spaces in the names of their files.
    static let wideScripts = [
        "Arabic", "Bengali", "Devanagari", "Gujarati", "Gurmukhi", "Kannada", "Khmer", "Lao",
        "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thai",
    ]

    /// The families of the usual fonts, then what is tried for the characters they lack.
    static let usualFamilies = ["Inter", "DejaVu Sans"]
    static let wideFamilies =
        ["Inter"] + wideScripts.map { "Noto Sans \($0) UI" }
        + ["DejaVu Sans", eastAsianFamily, emojiFamily]
    /// Chinese, Japanese and Korean in one.
    static let eastAsianFamily = "WenQuanYi Micro Hei"
    /// The one font of pictures in colour.
    package static let emojiFamily = "Noto Color Emoji"
}

/// A folder of fonts that came along with a program: an archive for machines without any brings
/// them in `share/emblem/fonts`, beside the folder of the program.
package struct FontFolder: Sendable {
    private let path: String?

    /// The one beside the program that this process runs.
    static let ours: FontFolder = {
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

    /// Where a listed font is to be read: here if it is here, else at its path in the system.
    package func path(of listed: String) -> String {
        guard let path, let name = listed.split(separator: "/").last else { return listed }
        let own = "\(path)/\(name)"
        return unsafe access(own, R_OK) == 0 ? own : listed
    }
}
