import CSandbox
import Codecs
import Glibc
import System

/// What the system must give before anything can be done: two calls, /proc, a few descriptors and
/// threads, and room.
///
/// Without them the language's own runtime ends the process by a signal, or waits for ever, long
/// after the start. So they are asked for here, given back at once, and missed with words.
package struct Footing {
    /// What is missing, and the exit code that says of which kind it is.
    package struct Lack: Sendable {
        package let exitCode: Int32
        package let text: String

        /// A kernel or container does not permit it.
        fileprivate static func permission(_ text: String) -> Self {
            Self(exitCode: 69, text: text)
        }

        /// The limits of the system leave too little.
        fileprivate static func room(_ text: String) -> Self { Self(exitCode: 74, text: text) }
    }

    /// Whether the command draws; without that, it needs fewer descriptors and no large address
    /// space.
    private let draws: Bool

    package init(draws: Bool) { self.draws = draws }

    /// A run over files takes five; two more for the network.
    private let threads = 7
    /// Workers that are being made meanwhile count as threads do, and whoever draws text has one for its
    /// fonts: these take no room of this process.
    private var othersThreads: Int {
        Prefork.unbornCount + (draws ? max(1, Prefork.count) : 0)
    }
    private let leastStackBytes = 64 << 10
    /// Workers, their regions and bells, the folders of the outputs, and the runtime's own queues,
    /// which open theirs late and end the process where they cannot.
    private var descriptors: Int { draws ? 24 : 8 }
    /// Threads reserve 8 MB each, libraries 100, and bodies their share of `--memory`.
    private let addressBytes = 256 << 20

    /// To be asked for first: it makes no thread, so that the process can still be divided.
    package var lackOfCalls: Lack? {
        // The runtime's own queues count their threads there, and end the process where they cannot.
        guard unsafe access("/proc/self/task", F_OK) == 0 else {
            return .permission(
                "/proc is missing (\(Confinement.text(of: errno))), and Swift programs need it; "
                    + "mount /proc in the container or chroot")
        }
        guard let name = unsafe emb_refused_call() else { return nil }
        let code = errno
        if [EMFILE, ENFILE].contains(code) { return tooFewDescriptors }
        let call = unsafe String(cString: name)
        return .permission(
            "this kernel or container refuses \(call) (\(Confinement.text(of: code))), which "
                + "emblem needs; allow it in the seccomp profile")
    }

    package var lackOfRoom: Lack? {
        if !hasDescriptors { return tooFewDescriptors }
        if let bytes = addressLimit, bytes < addressBytes, draws {
            return .room(
                "only \(bytes >> 20) MB of address space are allowed, and a run needs "
                    + "\(addressBytes >> 20) MB; raise `ulimit -v`")
        }
        if hasThreads { return nil }
        // Spares of many jobs are worth less than the run.
        if Prefork.count > Prefork.mostGuessed {
            Prefork.close()
            if hasThreads { return nil }
        }
        return .room(
            "the system refuses to start \(threads + othersThreads) threads; raise `ulimit -u`, "
                + "`ulimit -v` or the process limit of the container")
    }

    /// Where there is little address space, what draws takes its own before threads take the rest.
    package func reserve() {
        if addressLimit != nil, draws, Prefork.count == 0 { DrawingLibraries.prepare() }
    }

    private var tooFewDescriptors: Lack {
        .room("at least \(descriptors) more file descriptors are needed; raise `ulimit -n`")
    }

    private var hasDescriptors: Bool {
        var taken: [Int32] = []
        defer { for descriptor in taken { _ = close(descriptor) } }
        for _ in 0..<descriptors {
            let descriptor = fcntl(2, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return false }
            taken.append(descriptor)
        }
        return true
    }

    private var addressLimit: UInt? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(9), &limit) == 0 else { return nil }
        return limit.rlim_cur == rlim_t.max ? nil : UInt(limit.rlim_cur)
    }

    /// All of them at once, as a run needs them.
    private var hasThreads: Bool {
        let needed = threads + othersThreads
        let gate = Semaphore()
        var made: [Thread] = []
        for number in 0..<needed {
            let stack = number < threads ? nil : leastStackBytes
            guard let thread = Thread("emblem-footing", stackBytes: stack, { gate.wait() }) else {
                break
            }
            made.append(thread)
        }
        for _ in made { gate.signal() }
        for thread in made { thread.join() }
        return made.count == needed
    }
}
