/// The fault server; see Tests/Servers/fault_server.py for its paths.
package struct FaultServer: Sendable {
    private let process: ChildProcess
    private let ports: [String: Int]

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

    package func port(_ name: String) -> Int { ports[name] ?? 0 }

    package func url(_ path: String, _ name: String = "plain") -> String {
        "http://127.0.0.1:\(port(name))/\(path)"
    }

    package func secureURL(_ name: String, _ path: String = "ok") -> String {
        "https://localhost:\(port(name))/\(path)"
    }
}
