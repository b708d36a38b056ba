import CDrawing
import Synchronization

/// The forms of Unicode text that names are compared and written in.
package enum TextForm {
    private static let lacking = Atomic(false)

    /// GLib, which knows them, was asked for one and is not installed: names beyond ASCII stayed as
    /// they were.
    static var isLacking: Bool { lacking.load(ordering: .relaxed) }

    /// NFC: one spelling for each letter, marks included.
    static func composed(_ text: String) -> String {
        if isASCII(text) { return text }
        return unsafe through(text) { text, length in
            unsafe g_utf8_normalize(text, length, G_NORMALIZE_DEFAULT_COMPOSE)
        }
    }

    /// Equal for texts that differ only in case or spelling.
    package static func folded(_ text: String) -> String {
        if isASCII(text) { return text.lowercased() }
        let folded = unsafe through(text) { text, length in unsafe g_utf8_casefold(text, length) }
        return composed(folded)
    }

    static func isASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
    }

    /// GLib stops at a NUL; callers have none in their text.
    private static func through(
        _ text: String, _ form: (UnsafePointer<CChar>, Int) -> UnsafeMutablePointer<CChar>?
    ) -> String {
        unsafe text.withCString { pointer in
            guard let result = unsafe form(pointer, text.utf8.count) else {
                lacking.store(true, ordering: .relaxed)
                return text
            }
            defer { unsafe g_free(result) }
            return unsafe String(cString: result)
        }
    }
}
