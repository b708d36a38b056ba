import CSandbox
import Codecs
import Glibc
import System

/// The system resources that the program needs before it can start: two system calls, /proc, some
/// descriptors and threads, and address space.
///
/// Without them the Swift runtime crashes, or hangs long after the start. The program therefore
/// acquires them once at startup and releases them at once, so that a shortage is reported before
/// any work begins.
package struct StartupResources {
    /// A missing resource, with the exit code for its kind.
    package struct Shortage: Sendable {
        package let exitCode: Int32
        package let text: String

        fileprivate static func permission(_ text: String) -> Self {
            Self(exitCode: 69, text: text)
        }

        fileprivate static func room(_ text: String) -> Self { Self(exitCode: 74, text: text) }
    }

    /// Whether the command draws. A command that draws nothing needs fewer descriptors and no large
    /// address space.
    private let draws: Bool

    package init(draws: Bool) { self.draws = draws }

    /// The threads of a run: five for files, two more for the network.
    private let threads = 7
    /// The threads that count towards the process limit but take no address space here: workers
    /// that are still to be forked, and one font thread in each worker.
    private var othersThreads: Int {
        Prefork.unforkedCount + (draws ? max(1, Prefork.count) : 0)
    }
    private let leastStackBytes = 64 << 10
    /// The descriptors for workers, their regions and eventfds, the output folders, and the queues
    /// of the runtime. The queues open their descriptors late, and crash if they cannot.
    private var descriptors: Int { draws ? 24 : 8 }
    /// The least address space: threads reserve 8 MB each, libraries 100 MB, and loaded bytes their
    /// share of `--memory`.
    private let addressBytes = 256 << 20

    /// The missing system call, if any. This must be the first check: it starts no thread, so the
    /// process can still fork workers.
    package var missingSystemCall: Shortage? {
        // The Dispatch queues of the Swift runtime count their threads in this folder, and crash if
        // they cannot.
        guard unsafe access("/proc/self/task", F_OK) == 0 else {
            return .permission(
                "/proc is missing (\(Confinement.text(of: errno))), and Swift programs need it; "
                    + "mount /proc in the container or chroot")
        }
        guard let name = unsafe emb_refused_system_call() else { return nil }
        let code = errno
        if [EMFILE, ENFILE].contains(code) { return tooFewDescriptors }
        let call = unsafe String(cString: name)
        return .permission(
            "this kernel or container refuses \(call) (\(Confinement.text(of: code))), which "
                + "emblem needs; allow it in the seccomp profile")
    }

    /// The missing descriptors, address space or threads, if any.
    package var missingResource: Shortage? {
        if !hasDescriptors { return tooFewDescriptors }
        if let bytes = addressLimit, bytes < addressBytes, draws {
            return .room(
                "only \(bytes >> 20) MB of address space are allowed, and a run needs "
                    + "\(addressBytes >> 20) MB; raise `ulimit -v`")
        }
        if hasThreads { return nil }
        // The workers that were forked in advance are ended first, so that the run can start.
        if Prefork.count > Prefork.mostGuessed {
            Prefork.close()
            if hasThreads { return nil }
        }
        return .room(
            "the system refuses to start \(threads + othersThreads) threads; raise `ulimit -u`, "
                + "`ulimit -v` or the process limit of the container")
    }

    /// Loads the drawing libraries if the address space is limited, before threads reserve what is
    /// left of it.
    package func reserve() {
        if addressLimit != nil, draws, Prefork.count == 0 { DrawingLibraries.prepare() }
    }

    private var tooFewDescriptors: Shortage {
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
