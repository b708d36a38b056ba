import Glibc

package enum TestFile {
    package static func write(_ bytes: [UInt8], to path: String) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        unsafe Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    package static func read(_ path: String) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(file, &block, block.count)
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: block[..<count])
        }
    }
}
