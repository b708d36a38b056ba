import Foundation
import Support
import Testing

@Suite("Requests that the tool sends", .ownThreads)
struct RequestTests {
    /// A server that accepts one request after the other, stores its lines and closes the
    /// connection.
    private final class Catcher: @unchecked Sendable {
        let port: Int
        private let listener: Int32
        private let lock = NSLock()
        private var heads: [String] = []

        init(answer: String = "") {
            (listener, port) = LocalSocket.listen()
            let thread = Thread { [listener] in
                while true {
                    let peer = accept(listener, nil, nil)
                    guard peer >= 0 else { return }
                    var bytes: [UInt8] = []
                    var block = [UInt8](repeating: 0, count: 4096)
                    while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
                        let count = unsafe read(peer, &block, block.count)
                        guard count > 0 else { break }
                        bytes += block[..<count]
                    }
                    self.keep(String(decoding: bytes, as: UTF8.self))
                    let answer = Array(answer.utf8)
                    _ = unsafe write(peer, answer, answer.count)
                    close(peer)
                }
            }
            thread.start()
        }

        private func keep(_ head: String) { lock.withLock { heads.append(head) } }

        var lines: [[String]] {
            lock.withLock { heads.map { $0.components(separatedBy: "\r\n") } }
        }

        func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    private func batch(
        _ url: String, _ options: [String], files: [String: String] = [:],
        environment: [String: String] = [:]
    ) throws -> (Tool.Ending, ScratchFolder) {
        let folder = try ScratchFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        let ending = try Tool.emblem(
            [
                "batch", url, "-o", "out", "--layout", "small", "--cache", "none", "--retries",
                "0", "--timeout", "3", "--progress", "none",
            ] + options, in: folder.path,
            environment: environment.merging(["HOME": folder.path]) { own, _ in own })
        return (ending, folder)
    }

    @Test("headers of the command line and of a file are sent with the tool's own user agent")
    func headers() throws {
        let server = Catcher()
        defer { server.stop() }
        let (ending, _) = try batch(
            "http://127.0.0.1:\(server.port)/a.png?x=1",
            ["--allow-private", "--header", "X-One: 1", "-H", "@headers.txt"],
            files: ["headers.txt": "# tokens\nAuthorization: Bearer abc\r\n\nX-Two: 2\n"])
        #expect(ending.status == 75)
        let lines = try #require(server.lines.first)
        #expect(lines.first == "GET /a.png?x=1 HTTP/1.1")
        for line in ["X-One: 1", "X-Two: 2", "Authorization: Bearer abc"] {
            #expect(lines.contains(line))
        }
        #expect(lines.contains { $0.hasPrefix("User-Agent: emblem/") })
        #expect(!lines.contains { $0.hasPrefix("Referer:") })
    }

    @Test("headers are not sent to another host after a redirect")
    func headersStayBehind() throws {
        let target = Catcher()
        let server = Catcher(
            answer: "HTTP/1.1 302 Go\r\nLocation: http://127.0.0.1:\(target.port)/b.png\r\n"
                + "Content-Length: 0\r\nConnection: close\r\n\r\n")
        defer {
            server.stop()
            target.stop()
        }
        _ = try batch(
            "http://me:pw@127.0.0.1:\(server.port)/a.png",
            ["--allow-private", "--header", "X-Token: secret"])
        let first = try #require(server.lines.first)
        #expect(first.contains("X-Token: secret"))
        #expect(first.contains { $0.hasPrefix("Authorization: Basic ") })
        let second = try #require(target.lines.first)
        #expect(second.first == "GET /b.png HTTP/1.1")
        #expect(!second.contains { $0.contains("secret") || $0.hasPrefix("Authorization") })
    }

    @Test("a configured proxy receives every request")
    func proxy() throws {
        let server = Catcher()
        defer { server.stop() }
        _ = try batch(
            "http://logos.example/a.png", ["--proxy", "http://127.0.0.1:\(server.port)"])
        #expect(server.lines.first?.first == "GET http://logos.example/a.png HTTP/1.1")
    }

    @Test("a header replaces the user agent, also after a redirect to another host")
    func userAgent() throws {
        let target = Catcher()
        let server = Catcher(
            answer: "HTTP/1.1 302 Go\r\nLocation: http://127.0.0.1:\(target.port)/b.png\r\n"
                + "Content-Length: 0\r\nConnection: close\r\n\r\n")
        defer {
            server.stop()
            target.stop()
        }
        _ = try batch(
            "http://127.0.0.1:\(server.port)/a.png",
            [
                "--allow-private", "-H", "user-agent: acme-logos/2 (+https://acme.example)", "-H",
                "Authorization: Bearer abc", "-H", "Cookie: a=secret",
            ])
        for (lines, sends) in [(server.lines.first, true), (target.lines.first, false)] {
            let lines = try #require(lines)
            let agents = lines.filter { $0.lowercased().hasPrefix("user-agent:") }
            #expect(agents == ["User-Agent: acme-logos/2 (+https://acme.example)"])
            #expect(lines.contains("Authorization: Bearer abc") == sends)
            #expect(lines.contains("Cookie: a=secret") == sends)
        }
    }
}
