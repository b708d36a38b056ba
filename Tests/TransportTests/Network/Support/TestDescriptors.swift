import Glibc

/// What this process holds.
enum TestDescriptors {
    static var count: Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        return count
    }

    /// Descriptors that lead to a path or below it.
    static func count(under path: String) -> Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var target = [CChar](repeating: 0, count: 4096)
            let length = unsafe readlink("/proc/self/fd/\(name)", &target, target.count)
            let text = String(
                decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) },
                as: UTF8.self)
            if text == path || text.hasPrefix(path + "/") { count += 1 }
        }
        return count
    }

    static var residentBytes: Int {
        let text = String(decoding: TestFile.read("/proc/self/statm"), as: UTF8.self)
        let words = text.split(separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 4096
    }
}
