import Glibc

/// The servers that network tests share; started at the first use.
package enum TestServers {
    package struct Unready: Error {}

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

    private static let root =
        "/" + "\(#filePath)".split(separator: "/").dropLast(4).joined(separator: "/")

    private static let scripts = "\(root)/Tests/Servers"

    /// The certificate authority of the valid certificates.
    package static let authority: String = {
        try? ChildProcess.run(["sh", "\(scripts)/certificates.sh", folder])
        return "\(folder)/authority.pem"
    }()

    package static let faults: FaultServer = {
        _ = authority
        let server = try? FaultServer(script: "\(scripts)/fault_server.py", folder: folder)
        guard let server else { preconditionFailure("The fault server needs python3.") }
        return server
    }()

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
