import Glibc

/// nginx with plain and secure ports; see Tests/Servers/tests.conf for its paths.
package struct NginxServer: Sendable {
    /// The ports, named after their defects.
    package enum Port: String, CaseIterable {
        case plain, tls, expired, elsewhere
        case selfSigned = "self"
        case oldTLS = "old"
    }

    private let process: ChildProcess
    private let ports: [Port: Int]
    private let folder: String

    init(script: String, configuration: String, folder: String) throws {
        self.folder = folder
        for name in ["", "/files", "/packed"] { unsafe mkdir("\(folder)/www\(name)", 0o755) }
        for index in 0..<50 {
            TestFile.write(TestPicture.bytes(index), to: "\(folder)/www/files/logo-\(index).png")
        }
        TestFile.write(TestPicture.svg, to: "\(folder)/www/packed/logo.svg")
        try ChildProcess.run(["gzip", "-kf", "\(folder)/www/packed/logo.svg"])
        var ports: [Port: Int] = [:]
        for port in Port.allCases { ports[port] = LocalSocket.freePort() }
        self.ports = ports
        let values = ports.map { "\($0.key.rawValue)=\($0.value)" }.sorted()
        process = try ChildProcess(["sh", script, folder, configuration] + values)
        guard process.readLine() == "ready" else { throw TestServers.Unready() }
    }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port(.plain))/\(path)" }

    package func secureURL(
        _ path: String, _ port: Port = .tls, host: String = "localhost"
    ) -> String {
        "https://\(host):\(self.port(port))/\(path)"
    }

    package func port(_ port: Port) -> Int { ports[port] ?? 0 }

    /// Publishes a file for `files/`, `logged/` and similar paths.
    package func publish(_ bytes: [UInt8], as name: String) {
        // A rename is atomic. Another test may load the file at this moment and must not get half
        // of it.
        let file = "\(folder)/www/files/\(name)"
        let draft = "\(file).\(UInt64.random(in: 0...UInt64.max))"
        TestFile.write(bytes, to: draft)
        precondition(unsafe rename(draft, file) == 0, "A file can be put in its place.")
    }

    package struct Request: Sendable {
        package let status: String
        /// The ETag that the request offered, or a dash.
        package let tag: String
        package let agent: String
    }

    /// Returns the requests so far under `logged/` and `kept/` whose path or query ends with
    /// `ending`.
    package func requests(for ending: String) -> [Request] {
        let log = TestFile.read("\(folder)/nginx/access.log")
        return String(decoding: log, as: UTF8.self).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(
                String.init)
            guard parts.count == 4, parts[1].hasSuffix(ending) else { return nil }
            return Request(status: parts[0], tag: parts[2], agent: parts[3])
        }
    }
}
