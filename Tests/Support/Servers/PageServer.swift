import Glibc
import Synchronization

/// A small HTTP server that answers each path with fixed bytes, and records the requests.
package final class PageServer: Sendable {
    package let port: Int
    private let listener: Int32
    private let answers: @Sendable (String) -> [UInt8]?
    private let redirects: [String: String]
    private let refusal: String
    private let heads = Mutex<[String]>([])

    /// - Parameters:
    ///   - redirects: The URLs that paths are redirected to.
    ///   - refusal: The status of a path without an answer.
    ///   - answers: Returns the body for a path with its query; nil for `refusal`.
    package init(
        redirects: [String: String] = [:], refusal: String = "404 Not Found",
        _ answers: @escaping @Sendable (String) -> [UInt8]?
    ) {
        (listener, port) = LocalSocket.listen()
        self.answers = answers
        self.redirects = redirects
        self.refusal = refusal
        var thread = pthread_t()
        let server = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<PageServer>.fromOpaque(context).takeRetainedValue().serve()
                return nil
            }, server)
        pthread_detach(thread)
    }

    /// The paths that were requested, in order.
    package var paths: [String] {
        requests.map { String($0.split(separator: " ").dropFirst().first ?? "") }
    }

    /// The heads of the requests.
    package var requests: [String] { heads.withLock { $0 } }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    package func forget() { heads.withLock { $0 = [] } }

    package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve() {
        while true {
            let peer = accept(listener, nil, nil)
            guard peer >= 0 else { return }
            answer(peer)
            close(peer)
        }
    }

    private func answer(_ peer: Int32) {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let count = unsafe read(peer, &block, block.count)
            guard count > 0 else { return }
            bytes += block[..<count]
        }
        let head = String(decoding: bytes, as: UTF8.self)
        heads.withLock { $0.append(head) }
        let path = String(head.split(separator: " ").dropFirst().first ?? "")
        let location = redirects[path]
        let body = location == nil ? answers(path) : []
        let status = body == nil ? refusal : location == nil ? "200 OK" : "302 Found"
        let line = location.map { "Location: \($0)\r\n" } ?? ""
        var answer = Array(
            "HTTP/1.1 \(status)\r\n\(line)Connection: close\r\nContent-Length: \(body?.count ?? 0)\r\n\r\n"
                .utf8)
        answer += body ?? []
        var sent = 0
        while sent < answer.count {
            let count = unsafe answer.withUnsafeBytes { buffer in
                unsafe send(
                    peer, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
