import Glibc
import Support

/// What this process holds.
enum TestDescriptors {
    static var count: Int {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        return count
    }

    static var residentBytes: Int {
        let text = String(decoding: TestFile.read("/proc/self/statm"), as: UTF8.self)
        let words = text.split(separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 4096
    }
}
