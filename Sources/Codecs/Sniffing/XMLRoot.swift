import CZlib

/// Checks whether a text is XML whose root element is `svg`.
struct XMLRoot: ~Escapable {
    private let bytes: Span<UInt8>
    /// The bytes per character, and the position of the ASCII byte among them.
    private let width: Int
    private let low: Int
    private var offset = 0

    @_lifetime(copy bytes)
    private init(_ bytes: Span<UInt8>) {
        let reader = ByteReader(bytes)
        var start = 0
        switch reader.big16(0) {
        case 0xFEFF: (width, low, start) = (2, 1, 2)
        case 0xFFFE: (width, low, start) = (2, 0, 2)
        case 0x003C: (width, low) = (2, 1)
        case 0x3C00: (width, low) = (2, 0)
        default:
            (width, low) = (1, 0)
            if reader.big16(0) == 0xEFBB, reader.u8(2) == 0xBF { start = 3 }
        }
        self.bytes = bytes.extracting(start..<bytes.count)
    }

    /// Returns whether the root element is `svg`. A text that ends before its root counts as SVG if
    /// it begins with an XML declaration, so that a truncated file is reported as truncated.
    static func isSVG(_ bytes: Span<UInt8>) -> Bool {
        var text = XMLRoot(bytes)
        var isXML = false
        while true {
            text.skipSpace()
            guard !text.isAtEnd else { return isXML }
            if text.skip("<?xml") {
                isXML = true
                text.skip(past: "?>")
            } else if text.skip("<?") {
                text.skip(past: "?>")
            } else if text.skip("<!--") {
                text.skip(past: "-->")
            } else if text.skip("<!DOCTYPE") {
                text.skipSpace()
                guard text.skipName() else { return false }
                text.skipDoctype()
                isXML = true
            } else {
                return text.skip("<") && text.skipName()
            }
        }
    }

    private var count: Int { bytes.count / width }
    private var isAtEnd: Bool { offset >= count }

    /// Returns the character at an offset, or 255 if it is not ASCII.
    private func character(_ index: Int) -> UInt8 {
        guard index < count else { return 255 }
        if width == 1 { return bytes[index] }
        return bytes[index * 2 + 1 - low] == 0 ? bytes[index * 2 + low] : 255
    }

    private mutating func skipSpace() {
        while [0x20, 0x09, 0x0A, 0x0D].contains(character(offset)) { offset += 1 }
    }

    private func holds(_ text: StaticString, at start: Int) -> Bool {
        for index in 0..<text.utf8CodeUnitCount
        where unsafe character(start + index) != text.utf8Start[index] {
            return false
        }
        return true
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard holds(text, at: offset) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    private mutating func skip(past text: StaticString) {
        while !isAtEnd, !holds(text, at: offset) { offset += 1 }
        offset += text.utf8CodeUnitCount
    }

    /// Skips the name `svg`, with or without a prefix; does not skip other names.
    private mutating func skipName() -> Bool {
        var end = offset
        var start = offset
        while end < count {
            let byte = character(end)
            if byte == 0x3A { start = end + 1 }
            if [0x20, 0x09, 0x0A, 0x0D, 0x3E, 0x2F, 0x5B].contains(byte) { break }
            end += 1
            if end - offset > 64 { return false }
        }
        guard end - start == 3, holds("svg", at: start) else { return false }
        offset = end
        return true
    }

    /// Skips a document type, whose own declarations are in brackets.
    private mutating func skipDoctype() {
        var depth = 0
        var quote: UInt8 = 0
        while !isAtEnd {
            let byte = character(offset)
            offset += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
                continue
            }
            switch byte {
            case 0x22, 0x27: quote = byte
            case 0x5B: depth += 1
            case 0x5D: depth -= 1
            case 0x3E where depth <= 0: return
            default: break
            }
        }
    }
}

/// The beginning of a gzip-compressed text, long enough to identify it.
package enum PackedText {
    /// The most bytes that are unpacked; comments before the root are rarely longer.
    private static let bytesLimit = 128 << 10

    package static func isPacked(_ bytes: Span<UInt8>) -> Bool {
        bytes.count > 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    }

    /// Returns the text that unpacks without error, up to the limit.
    static func beginning(of bytes: Span<UInt8>) -> [UInt8] {
        var stream = unsafe z_stream()
        // 15 bits of window, and 16 for the gzip wrapper.
        guard
            unsafe inflateInit2_(
                &stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return [] }
        defer { unsafe inflateEnd(&stream) }
        return unsafe bytes.withUnsafeBufferPointer { input in
            unsafe [UInt8](unsafeUninitializedCapacity: bytesLimit) { output, count in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(clamping: input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                unsafe _ = inflate(&stream, Z_SYNC_FLUSH)
                count = unsafe output.count - Int(stream.avail_out)
            }
        }
    }
}
