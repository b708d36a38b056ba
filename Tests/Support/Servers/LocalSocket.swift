import Glibc

package enum LocalSocket {
    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }

    package static func listen() -> (socket: Int32, port: Int) {
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

    /// Returns whether a client has connected, or does so within this time.
    package static func wasReached(_ listener: Int32, within milliseconds: Int32 = 50) -> Bool {
        var poll = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return unsafe Glibc.poll(&poll, 1, milliseconds) > 0
    }

    /// Returns a port that had no listener a moment ago.
    package static func freePort() -> Int {
        let (socket, port) = listen()
        close(socket)
        return port
    }

    package static func accepts(_ port: Int) -> Bool {
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
