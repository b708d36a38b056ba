import Glibc

/// The servers that the tests of the network share; started when first asked for.
package enum TestServers {
    /// A server that does not answer.
    package struct Unready: Error {}

    /// A folder that lasts as long as the tests.
    package static let folder: String = {
        var template = Array("/tmp/emblem-network-XXXXXX".utf8CString)
        let path = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }
                .map { unsafe String(cString: $0) }
        }
        guard let path else { preconditionFailure("No temporary folder can be made.") }
        atexit { try? ChildProcess.run(["rm", "-rf", TestServers.folder]) }
        return path
    }()

    /// The folder above `Tests`.
    private static let root =
        "/" + "\(#filePath)".split(separator: "/").dropLast(4).joined(separator: "/")

    private static let scripts = "\(root)/Tests/Servers"

    /// What signed the good certificates.
    package static let authority: String = {
        try? ChildProcess.run(["sh", "\(scripts)/certificates.sh", folder])
        return "\(folder)/authority.pem"
    }()

    /// The server that misbehaves, by the names of its ports.
    package static let faults: FaultServer = {
        _ = authority
        let server = try? FaultServer(script: "\(scripts)/fault_server.py", folder: folder)
        guard let server else { preconditionFailure("The fault server needs python3.") }
        return server
    }()

    /// A real web server.
    package static let nginx: NginxServer = {
        _ = authority
        let server = try? NginxServer(
            script: "\(root)/Datasets/Server/nginx.sh", configuration: "\(scripts)/tests.conf",
            folder: folder)
        guard let server else {
            preconditionFailure("nginx does not start; is nginx-light installed?")
        }
        return server
    }()
}
