import CDrawing

/// Classifies librsvg's errors by their messages; librsvg has one error code for everything.
@safe
enum SVGFailure {
    /// Returns the error of a failed load; releases `failure`.
    @unsafe
    static func loading(
        _ failure: UnsafeMutablePointer<GError>?, _ text: Span<UInt8>
    ) -> DecodeError {
        let message = unsafe take(failure)
        if isLimit(message) { return .limitDecode(limitText) }
        // librsvg reports a missing root element by this message or by code 4. It sends this
        // message if the first byte does not begin a tag.
        if message.contains("<svg> root") { return .notImage }
        let isTruncated = SVGDamage.isTruncated(text)
        if message.contains("code 4 ") {
            return isTruncated && text[0] == UInt8(ascii: "<") ? .truncated : .notImage
        }
        return isTruncated ? .truncated : .corrupt("the SVG is not well-formed XML")
    }

    /// Returns the error of a failed drawing; releases `failure`.
    @unsafe
    static func drawing(_ failure: UnsafeMutablePointer<GError>?) -> Drawing {
        let message = unsafe take(failure)
        return Drawing(
            error: isLimit(message)
                ? .limitDecode(limitText) : .corrupt("the SVG cannot be drawn"),
            isCairoFailure: message.contains("rendering error"))
    }

    /// The error of a document that was loaded but could not be drawn.
    struct Drawing: FontFailure {
        let error: DecodeError
        /// Whether cairo failed, as opposed to a limit of librsvg.
        let isCairoFailure: Bool

        init(error: DecodeError, isCairoFailure: Bool) {
            self.error = error
            self.isCairoFailure = isCairoFailure
        }

        init(_ error: FontError) {
            self.init(
                error: .unsupported("an SVG with text, whose fonts are missing. \(error)"),
                isCairoFailure: false)
        }
    }

    private static let limitText = "the size of an SVG for librsvg"

    /// Recognises limits for entities, nesting, elements, references and surfaces.
    private static func isLimit(_ message: String) -> Bool {
        let words = [
            "reference loop", "code 1 ", "cannot load more", "exceeded more", "emory",
            "rendering error",
        ]
        return words.contains { message.contains($0) }
    }

    @unsafe
    private static func take(_ failure: UnsafeMutablePointer<GError>?) -> String {
        guard let failure = unsafe failure else { return "" }
        defer { unsafe g_error_free(failure) }
        return unsafe failure.pointee.message.map { unsafe String(cString: $0) } ?? ""
    }
}

/// Distinguishes a truncated document from a malformed one.
enum SVGDamage {
    /// Returns whether the text ends inside a tag, or with open elements that are nested correctly.
    static func isTruncated(_ bytes: Span<UInt8>) -> Bool {
        var walker = XMLWalker(bytes)
        var open: [String] = []
        var hasRoot = false
        while true {
            switch walker.next() {
            case .open(let name, _, let isEmpty):
                hasRoot = true
                if !isEmpty { open.append(walker.text(name)) }
            case .close(let name):
                guard open.popLast() == walker.text(name) else { return false }
            case .text, .doctype:
                continue
            case .truncated:
                return true
            case .end:
                return !open.isEmpty || !hasRoot
            }
        }
    }
}
