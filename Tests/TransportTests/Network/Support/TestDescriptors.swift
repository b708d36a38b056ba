import Glibc
import Support

enum TestDescriptors {
    /// Returns the number of connections to a server on this machine, and of eventfds of event
    /// loops: the descriptors that a loader could leak. Other suites open many descriptors of other
    /// kinds.
    static func count(to port: Int) -> Int {
        // More than any suite holds.
        (Int32(0)..<100_000).count { isConnected($0, to: port) || isEventLoop($0) }
    }

    private static func isConnected(_ number: Int32, to port: Int) -> Bool {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getpeername(number, address, &length)
            }
        }
        return code == 0 && address.sin_family == sa_family_t(AF_INET)
            && Int(UInt16(bigEndian: address.sin_port)) == port
    }

    private static func isEventLoop(_ number: Int32) -> Bool {
        var target = [CChar](repeating: 0, count: 64)
        let length = unsafe readlink("/proc/self/fd/\(number)", &target, target.count)
        let text = target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
        return text.elementsEqual("anon_inode:[eventpoll]".utf8)
    }

    static var residentBytes: Int {
        let text = String(decoding: TestFile.read("/proc/self/statm"), as: UTF8.self)
        let words = text.split(separator: " ")
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 4096
    }
}
