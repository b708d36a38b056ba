import CDrawing
import Glibc

/// A fontconfig configuration: a set of fonts and the rules for choosing among them.
///
/// It does not change after `init`, so threads may share it.
@safe
final class FontConfiguration: @unchecked Sendable {
    private let config: OpaquePointer

    /// Reads the listed files; optional files may be missing.
    init(_ files: [FontFile], families: [String]) throws(FontError) {
        guard let config = unsafe FcConfigCreate() else { throw .fontconfigFailed }
        unsafe self.config = config
        let rules = Array(Self.rules(families).utf8) + [0]
        let parsed = unsafe rules.withUnsafeBufferPointer {
            unsafe FcConfigParseAndLoadFromMemory(config, $0.baseAddress, 0)
        }
        guard parsed != 0 else { throw .fontconfigFailed }
        for file in files where file.isNeeded || file.isReadable {
            let path = Array(file.path.utf8) + [0]
            let added = unsafe path.withUnsafeBufferPointer {
                unsafe FcConfigAppFontAddFile(config, $0.baseAddress)
            }
            guard added == 0, file.isNeeded else { continue }
            throw file.isReadable
                ? .unreadable(file: file.path, package: file.package)
                : .missing(file: file.path, package: file.package)
        }
    }

    deinit {
        unsafe FcConfigDestroy(config)
    }

    /// Makes this the default configuration for all libraries in the process.
    func becomeProcessWide() throws(FontError) {
        guard unsafe FcConfigSetCurrent(config) != 0 else { throw .fontconfigFailed }
    }

    /// Returns a font map that uses only this configuration; the caller releases it.
    @unsafe
    func makeMap() -> OpaquePointer {
        guard let map = unsafe pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT) else {
            preconditionFailure("Pango is built with FreeType wherever Debian packages it.")
        }
        unsafe pango_fc_font_map_set_config(map, config)
        return unsafe map
    }

    /// Returns rules that disable hinting and map generic and common family names to the listed
    /// fonts. Antialiasing is the default; setting it explicitly would make emoji blank.
    private static func rules(_ families: [String]) -> String {
        func alias(_ family: String, _ target: String) -> String {
            "<alias binding=\"same\"><family>\(family)</family>"
                + "<prefer><family>\(target)</family></prefer></alias>"
        }
        let sans = ["sans-serif", "sans", "system-ui", "Arial", "Helvetica", "Roboto", "Open Sans"]
        let serif = ["serif", "Times", "Times New Roman", "Georgia"]
        let mono = ["monospace", "mono", "Courier", "Courier New", "Menlo", "Consolas"]
        let aliases =
            sans.map { alias($0, "Inter") } + serif.map { alias($0, "DejaVu Serif") }
            + mono.map { alias($0, "DejaVu Sans Mono") } + [alias("emoji", FontFile.emojiFamily)]
        let fallbacks = families.map { "<string>\($0)</string>" }.joined()
        return """
            <?xml version="1.0"?><fontconfig>\(aliases.joined())\
            <match target="pattern"><edit name="family" mode="append_last">\(fallbacks)</edit>\
            </match>\
            <match target="font">\
            <edit name="hinting" mode="assign"><bool>false</bool></edit>\
            <edit name="autohint" mode="assign"><bool>false</bool></edit>\
            <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>\
            <edit name="rgba" mode="assign"><const>none</const></edit>\
            <edit name="lcdfilter" mode="assign"><const>lcdnone</const></edit>\
            <edit name="embeddedbitmap" mode="assign"><bool>false</bool></edit>\
            </match>\(wideRules)</fontconfig>
            """
    }

    /// Rules for emoji, which are bitmaps of one size and must be scaled, and for the Chinese,
    /// Japanese and Korean font, which has one weight and needs synthetic bold in headlines.
    private static let wideRules = """
        <match target="font"><test name="family"><string>\(FontFile.emojiFamily)</string></test>\
        <edit name="embeddedbitmap" mode="assign"><bool>true</bool></edit>\
        <edit name="fixup" mode="assign"><divide><name target="pattern">pixelsize</name>\
        <name target="font">pixelsize</name></divide></edit>\
        <edit name="matrix" mode="assign"><times><name>matrix</name><matrix><name>fixup</name>\
        <double>0</double><double>0</double><name>fixup</name></matrix></times></edit>\
        <edit name="size" mode="assign"><divide><name>size</name><name>fixup</name></divide>\
        </edit></match>\
        <match target="font"><test name="family"><string>\(FontFile.eastAsianFamily)</string></test>\
        <test target="pattern" name="weight" compare="more_eq"><const>demibold</const></test>\
        <edit name="embolden" mode="assign"><bool>true</bool></edit></match>
        """
}

/// A Pango font map per thread. Maps that are not shared need no lock.
@safe
struct FontMapCache: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let outcome = unsafe pthread_key_create(&key) { map in
            unsafe g_object_unref(map)
        }
        precondition(outcome == 0, "A process has room for three keys of threads.")
        self.key = key
    }

    @unsafe
    func map(of configuration: FontConfiguration) -> OpaquePointer {
        if let known = unsafe pthread_getspecific(key) {
            return OpaquePointer(known)
        }
        let map = unsafe configuration.makeMap()
        unsafe pthread_setspecific(key, UnsafeRawPointer(map))
        return unsafe map
    }
    /// Releases this thread's map, so that the next one starts without state from earlier drawings.
    func drop() {
        guard let map = unsafe pthread_getspecific(key) else { return }
        pthread_setspecific(key, nil)
        unsafe g_object_unref(map)
    }
}
