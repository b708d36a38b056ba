import Glibc

/// Bytes that stand for pictures; the loader does not look into them.
enum TestPicture {
    /// What the fault server calls its picture.
    static let fault: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + (0..<4096).map { UInt8(truncatingIfNeeded: $0) }

    static let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)

    /// Two to ten kilobytes that differ with the index.
    static func bytes(_ index: Int) -> [UInt8] {
        (0..<(2048 + index * 160)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ index) }
    }
}

enum TestFile {
    static func write(_ bytes: [UInt8], to path: String) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        unsafe Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    static func read(_ path: String) -> [UInt8] {
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

/// Sockets on this machine, without a server behind them.
enum LocalSocket {
    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    /// A socket that listens on any port.
    static func listen() -> (socket: Int32, port: Int) {
        let listener = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, size)
                Glibc.listen(listener, 64)
                unsafe getsockname(listener, pointer, &size)
            }
        }
        return (listener, Int(in_port_t(bigEndian: address.sin_port)))
    }

    /// Whether anybody has connected so far.
    static func wasReached(_ listener: Int32) -> Bool {
        var poll = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return unsafe Glibc.poll(&poll, 1, 50) > 0
    }

    static func freePort() -> Int {
        let (socket, port) = listen()
        close(socket)
        return port
    }

    static func accepts(_ port: Int) -> Bool {
        let client = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        var address = address(port)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(client, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// A pause short enough to wait in a loop.
func usleepBriefly() {
    usleep(2000)
}
