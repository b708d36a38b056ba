import Dispatch
import EmblemKit
import Foundation
import Glibc
import Synchronization

/// A small HTTP/1.1 server on loopback for ``EmblemHandler``, with one thread per connection.
///
/// It answers GET requests for `/emblem/ID`. It limits the number of connections, the size of a
/// request and the time of each read and write, because its clients may be hostile.
final class Listener: Sendable {
    private static let connectionsLimit = 200

    let port: Int
    private let handler: EmblemHandler
    private let socket: Int32
    private let free = DispatchSemaphore(value: Listener.connectionsLimit)

    init(_ handler: EmblemHandler) throws {
        self.handler = handler
        socket = Glibc.socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { [socket] pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(socket, pointer, size) == 0 && listen(socket, 128) == 0
                    && getsockname(socket, pointer, &size) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    /// Accepts connections on a new thread until the program ends.
    func start() {
        Thread.detachNewThread { [self] in
            while true {
                free.wait()
                let client = accept(socket, nil, nil)
                guard client >= 0 else {
                    free.signal()
                    // Without a descriptor, the next attempt would fail as well.
                    usleep(1_000)
                    continue
                }
                // A worker must not keep the connection open.
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { [self] in
                    var connection = ClientConnection(socket: client)
                    while let request = connection.request(), answer(request, connection) {}
                    close(client)
                    free.signal()
                }
            }
        }
    }

    /// Answers a request, and returns whether the connection stays open.
    private func answer(_ request: Request?, _ connection: ClientConnection) -> Bool {
        guard let request else {
            _ = connection.send(Response(status: 400), isLast: true)
            return false
        }
        let reply = Reply()
        let drawing = Task { [handler] in
            do {
                reply.end(with: try await handler.respond(to: request))
            } catch is CancellationError {
                reply.end(with: nil)
            } catch {
                reply.end(with: Response(status: 500))
            }
        }
        while reply.bell.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
            if connection.isClosed { drawing.cancel() }
        }
        guard let response = reply.response else { return false }
        return connection.send(response, isLast: false)
    }
}

/// The response of a task, for the thread that waits for it.
private final class Reply: Sendable {
    private let state = Mutex<Response?>(nil)
    let bell = DispatchSemaphore(value: 0)

    /// The response; `nil` if the task was cancelled.
    var response: Response? { state.withLock { $0 } }

    func end(with response: Response?) {
        state.withLock { $0 = response }
        bell.signal()
    }
}

/// A connection whose requests are read one after the other.
private struct ClientConnection {
    private static let headLimit = 8_192
    private static let milliseconds = 5_000

    let socket: Int32
    private var received = Data()

    init(socket: Int32) {
        self.socket = socket
    }

    /// Reads the next request. Returns `nil` at the end of the connection, and `.some(nil)` for a
    /// request that cannot be read.
    mutating func request() -> Request?? {
        let deadline = ContinuousClock.now + .milliseconds(Self.milliseconds)
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let range = received.range(of: end) {
                let head = received[..<range.lowerBound]
                received = Data(received[range.upperBound...])
                return .some(Self.request(of: head))
            }
            guard received.count < Self.headLimit else { return .some(nil) }
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0, isReady(POLLIN, milliseconds: Int32(left) + 1) else { return nil }
            var bytes = [UInt8](repeating: 0, count: 2_048)
            let count = unsafe recv(socket, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            received += bytes.prefix(count)
        }
    }

    private static func request(of head: Data) -> Request? {
        guard let text = String(data: head, encoding: .utf8) else { return nil }
        let lines = text.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3, words[0] == "GET", words[2].hasPrefix("HTTP/1.") else { return nil }
        let path = words[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        var request = Request(parameter: path.first == "emblem" ? String(path.last ?? "") : "")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            request.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return request
    }

    /// Whether the client has closed the connection.
    var isClosed: Bool { isReady(0x2000, milliseconds: 0) }

    /// Waits for an event; an error and the end of the connection are events too.
    private func isReady(_ event: Int32, milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: socket, events: Int16(event), revents: 0)
        return unsafe Glibc.poll(&poll, 1, milliseconds) > 0
    }

    /// Sends a response, and returns whether the client received all of it.
    func send(_ response: Response, isLast: Bool) -> Bool {
        var head = "HTTP/1.1 \(response.status) -\r\ncontent-length: \(response.body.count)\r\n"
        for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
        if isLast { head += "connection: close\r\n" }
        var rest = Array((head + "\r\n").utf8) + response.body
        while !rest.isEmpty {
            guard isReady(POLLOUT, milliseconds: Int32(Self.milliseconds)) else { return false }
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = unsafe Glibc.send(socket, rest, rest.count, flags)
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }
}
