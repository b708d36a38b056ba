import Glibc

/// The servers that the tests of the network share; started when first asked for.
enum TestServers {
    struct Unready: Error {}

    /// A folder that lasts as long as the tests.
    static let folder: String = {
        var template = Array("/tmp/emblem-network-XXXXXX".utf8CString)
        let path = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }
                .map { unsafe String(cString: $0) }
        }
        guard let path else { preconditionFailure("No temporary folder can be made.") }
        atexit { try? ChildProcess.run(["rm", "-rf", TestServers.folder]) }
        return path
    }()

    private static let scripts: String = {
        let parts = "\(#filePath)".split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/Servers"
    }()

    /// What signed the good certificates.
    static let authority: String = {
        try? ChildProcess.run(["sh", "\(scripts)/certificates.sh", folder])
        return "\(folder)/authority.pem"
    }()

    /// The server that misbehaves, by the names of its ports.
    static let faults: FaultServer = {
        _ = authority
        let server = try? FaultServer(script: "\(scripts)/fault_server.py", folder: folder)
        guard let server else { preconditionFailure("The fault server needs python3.") }
        return server
    }()

    /// A real web server.
    static let nginx: NginxServer = {
        _ = authority
        let server = try? NginxServer(script: "\(scripts)/nginx.sh", folder: folder)
        guard let server else {
            preconditionFailure("nginx does not start; is nginx-light installed?")
        }
        return server
    }()
}

/// The fault server; see Tests/Servers/fault_server.py for its paths.
struct FaultServer: Sendable {
    private let process: ChildProcess
    let ports: [String: Int]

    init(script: String, folder: String) throws {
        process = try ChildProcess(["python3", script, folder])
        var ports: [String: Int] = [:]
        for word in process.readLine().split(separator: " ") {
            let parts = word.split(separator: "=")
            ports[String(parts[0])] = Int(parts[1])
        }
        self.ports = ports
        guard ports["plain"] != nil else { throw TestServers.Unready() }
    }

    func port(_ name: String) -> Int { ports[name] ?? 0 }

    func url(_ path: String, _ name: String = "plain") -> String {
        "http://127.0.0.1:\(port(name))/\(path)"
    }

    func secureURL(_ name: String, _ path: String = "ok") -> String {
        "https://localhost:\(port(name))/\(path)"
    }
}

/// nginx with plain and secure ports; see Tests/Servers/nginx.sh for its places.
struct NginxServer: Sendable {
    enum Port: Int, CaseIterable { case plain, tls, expired, elsewhere, selfSigned, oldTLS }

    private let process: ChildProcess
    private let ports: [Int]

    init(script: String, folder: String) throws {
        for name in ["", "/files", "/packed"] { unsafe mkdir("\(folder)/www\(name)", 0o755) }
        for index in 0..<50 {
            TestFile.write(TestPicture.bytes(index), to: "\(folder)/www/files/logo-\(index).png")
        }
        TestFile.write(TestPicture.svg, to: "\(folder)/www/packed/logo.svg")
        try ChildProcess.run(["gzip", "-kf", "\(folder)/www/packed/logo.svg"])
        ports = Port.allCases.map { _ in LocalSocket.freePort() }
        process = try ChildProcess(["sh", script, folder] + ports.map { String($0) })
        for _ in 0..<500 where !LocalSocket.accepts(ports[0]) { usleep(10_000) }
        guard LocalSocket.accepts(ports[0]) else { throw TestServers.Unready() }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(ports[0])/\(path)" }

    func secureURL(_ path: String, _ port: Port = .tls, host: String = "localhost") -> String {
        "https://\(host):\(ports[port.rawValue])/\(path)"
    }

    func port(_ port: Port) -> Int { ports[port.rawValue] }
}
