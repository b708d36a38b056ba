import CLibPango

/// The fonts of every text we draw, in SVG documents and in our own artwork alike.
///
/// A private configuration lists the font files by path and names no folder, cache or user
/// settings, so the same text comes out on every machine that has these files. It becomes the
/// configuration of the whole process, because the libraries below look nowhere else.
package enum FontStock {
    /// Puts the configuration in place; the first call does the work, about 10 ms.
    ///
    /// Must run before anything draws text, and in a confined worker with the fonts readable.
    package static func prepare() throws(FontError) {
        try outcome.get()
    }

    /// Fingerprints of the listed files in order, as text for a recipe's key.
    package static func digest() throws(FontError) -> String {
        try fingerprints.get()
    }

    /// Whether every listed font was found, without setting anything up.
    package static var isComplete: Bool {
        if case .success = fingerprints { true } else { false }
    }

    /// Versions of the libraries that shape and draw text.
    package static var versions: [(name: String, version: String)] {
        let config = FcGetVersion()
        return [
            ("pango", unsafe String(cString: pango_version_string())),
            ("fontconfig", "\(config / 10000).\(config / 100 % 100).\(config % 100)"),
        ]
    }

    private static let outcome: Result<Void, FontError> = install()

    private static let fingerprints: Result<String, FontError> = {
        do throws(FontError) {
            var parts: [String] = []
            for file in FontFile.all { parts.append(try file.fingerprint()) }
            return .success(parts.joined(separator: " "))
        } catch {
            return .failure(error)
        }
    }()

    private static func install() -> Result<Void, FontError> {
        LibraryLog.silence()
        if case .failure(let error) = fingerprints { return .failure(error) }
        guard let config = unsafe FcConfigCreate() else { return .failure(.library) }
        defer { unsafe FcConfigDestroy(config) }
        let rules = Array(Self.rules.utf8) + [0]
        let parsed = unsafe rules.withUnsafeBufferPointer {
            unsafe FcConfigParseAndLoadFromMemory(config, $0.baseAddress, 0)
        }
        guard parsed != 0 else { return .failure(.library) }
        for file in FontFile.all {
            let path = Array(file.path.utf8) + [0]
            let added = unsafe path.withUnsafeBufferPointer {
                unsafe FcConfigAppFontAddFile(config, $0.baseAddress)
            }
            guard added != 0 else {
                return .failure(.unreadable(file: file.path, package: file.package))
            }
        }
        // The process takes its own reference.
        return unsafe FcConfigSetCurrent(config) != 0 ? .success(()) : .failure(.library)
    }

    /// No hinting, grey antialiasing; generic and usual family names lead to the listed fonts.
    private static let rules: String = {
        func alias(_ family: String, _ target: String) -> String {
            "<alias binding=\"same\"><family>\(family)</family>"
                + "<prefer><family>\(target)</family></prefer></alias>"
        }
        let sans = ["sans-serif", "sans", "system-ui", "Arial", "Helvetica", "Roboto", "Open Sans"]
        let serif = ["serif", "Times", "Times New Roman", "Georgia"]
        let mono = ["monospace", "mono", "Courier", "Courier New", "Menlo", "Consolas"]
        let aliases =
            sans.map { alias($0, "Inter") } + serif.map { alias($0, "DejaVu Serif") }
            + mono.map { alias($0, "DejaVu Sans Mono") }
        return """
            <?xml version="1.0"?><fontconfig>\(aliases.joined())\
            <match target="pattern"><edit name="family" mode="append_last">\
            <string>Inter</string><string>DejaVu Sans</string></edit></match>\
            <match target="font">\
            <edit name="hinting" mode="assign"><bool>false</bool></edit>\
            <edit name="autohint" mode="assign"><bool>false</bool></edit>\
            <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>\
            <edit name="antialias" mode="assign"><bool>true</bool></edit>\
            <edit name="rgba" mode="assign"><const>none</const></edit>\
            <edit name="lcdfilter" mode="assign"><const>lcdnone</const></edit>\
            <edit name="embeddedbitmap" mode="assign"><bool>false</bool></edit>\
            </match></fontconfig>
            """
    }()
}
