import CSandbox
import Glibc

/// The confinement that limits what an exploited decoder can do.
package struct Confinement: Hashable, Sendable {
    private enum Backend: Hashable {
        case thisProcess
        case nowhere
        case worker(flags: Int32, filterRefusal: Int32, rulesRefusal: Int32)
    }

    private let backend: Backend

    /// Images are decoded in this process, without confinement.
    package static let none = Confinement(backend: .thisProcess)
    /// Images would be decoded in workers, but none was decoded.
    package static let unused = Confinement(backend: .nowhere)

    private init(backend: Backend) { self.backend = backend }

    /// Creates the confinement that a worker reports: its flags, and the errno for which the filter
    /// or Landlock is missing, or 0.
    package init(flags: Int32, filterRefusal: Int32, rulesRefusal: Int32) {
        backend = .worker(flags: flags, filterRefusal: filterRefusal, rulesRefusal: rulesRefusal)
    }

    private func has(_ flag: Int) -> Bool {
        guard case .worker(let flags, _, _) = backend else { return false }
        return Int(flags) & flag != 0
    }

    /// System calls are filtered: no network, no processes, no opening of files, no new executable
    /// memory.
    package var filtersCalls: Bool { has(Int(EMB_WORKER_SECCOMP)) }
    /// Landlock denies access to all files except the fonts, independently of the filter.
    package var hidesFiles: Bool { has(Int(EMB_WORKER_LANDLOCK)) }
    package var limitsResources: Bool { has(Int(EMB_WORKER_RLIMITS)) }
    package var isNotRoot: Bool { has(Int(EMB_WORKER_NOT_ROOT)) }

    /// The flags and error numbers of a worker's report; zeros without a worker.
    var words: (flags: Int32, filterRefusal: Int32, rulesRefusal: Int32) {
        guard case .worker(let flags, let filter, let rules) = backend else { return (0, 0, 0) }
        return (flags, filter, rules)
    }

    static func text(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

extension Confinement: CustomStringConvertible {
    package var description: String {
        switch backend {
        case .thisProcess: return "none: decoding in the tool's own process"
        case .nowhere: return "process: nothing was decoded, so no worker was started"
        case .worker: break
        }
        let (_, filter, rules) = words
        func why(_ code: Int32) -> String { code == 0 ? "" : " (\(Self.text(of: code)))" }
        let parts = [
            (filtersCalls, "seccomp", "seccomp\(why(filter)): workers can make any system call"),
            (
                hidesFiles, "landlock",
                "landlock\(why(rules)): only the seccomp filter blocks access to files"
            ),
            (limitsResources, "rlimits", "rlimits: the resources of workers are not limited"),
            (isNotRoot, "not root", "other user: workers stay root, without capabilities"),
        ]
        let held = parts.filter(\.0).map(\.1)
        let open = parts.filter { !$0.0 }.map { "no \($0.2)" }
        return (["process"] + held).joined(separator: ", ")
            + open.map { "; " + $0 }.joined()
    }
}
