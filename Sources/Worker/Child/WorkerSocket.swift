import CSandbox
import Glibc

/// The worker's end of the socket to its keeper. The seccomp filter permits only reading and
/// writing.
enum WorkerSocket {
    private static let socket = EMB_WORKER_SOCKET

    /// Returns the next message. Ends the process if the keeper has closed the socket.
    static func receive() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: WorkerReply.bytesLimit)
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(Int32(socket), buffer.baseAddress, buffer.count)
            }
            if count > 0 {
                bytes.removeLast(bytes.count - count)
                return bytes
            }
            guard count < 0, errno == EINTR else { _exit(0) }
        }
    }

    static func send(_ report: WorkerReply) {
        let bytes = report.bytes
        while true {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(Int32(socket), buffer.baseAddress, buffer.count)
            }
            if count == bytes.count { return }
            guard count < 0, errno == EINTR else { _exit(0) }
        }
    }

    /// Returns whether a message arrives within this time.
    static func waits(milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: Int32(socket), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&polled, 1, milliseconds) > 0
    }
}
