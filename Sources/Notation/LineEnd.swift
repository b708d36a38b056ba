import Glibc

extension ArraySlice<UInt8> {
    /// Where the first line ends, at its line feed; nil where none does.
    package var lineEnd: Int? {
        unsafe withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let end = unsafe memchr(start, 0x0A, bytes.count)
            else { return nil }
            return unsafe startIndex + (UnsafeRawPointer(end) - start)
        }
    }
}
