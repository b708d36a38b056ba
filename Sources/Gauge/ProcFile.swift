import Glibc

/// A small text file that the kernel generates when it is read.
enum ProcFile {
    /// Returns the text of a file of at most 256 KB, or nil if it cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < 262_144 {
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes.append(contentsOf: piece[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text after the first `name:` on a line, without surrounding spaces.
    static func field(_ name: String, in text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, trimmed(parts[0]) == name else { continue }
            return trimmed(parts[1])
        }
        return nil
    }

    /// Returns the bytes of a field written as `123 kB`.
    static func kilobytes(_ name: String, in text: String) -> Int? {
        guard let digits = field(name, in: text)?.split(separator: " ").first,
            let value = Int(digits)
        else { return nil }
        let (bytes, overflow) = value.multipliedReportingOverflow(by: 1024)
        return overflow ? nil : bytes
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
