import Glibc
import Worker

/// Memory with an observable use, so that the compiler does not remove its allocation.
@safe
private struct Kept {
    private var blocks: [UnsafeMutableRawPointer] = unsafe []

    mutating func keep(_ block: UnsafeMutableRawPointer?) -> Bool {
        guard let block = unsafe block else { return false }
        unsafe block.storeBytes(of: UInt8(truncatingIfNeeded: getpid()), as: UInt8.self)
        unsafe blocks.append(block)
        return true
    }
}

private nonisolated(unsafe) var kept = Kept()

/// A forbidden action of a decoder.
enum Deed: String, CaseIterable {
    case segv, abort, hang, spin, leave, allocate, fill, print
    case readFile, readFont, listFolder, writeFile, makeFile, removeFile
    case socket, execute, spawn, changeUser, shootParent, shootSelf, runBytes
    case raiseMemory
    case runShared, makeExecutable, readEnvironment
    case thread
    case nonsense, flood, lieAboutTable, claimTheRegion, answerTwice, hangUp

    /// The exit status of a deed that the system permitted, and of one that it refused with an
    /// error.
    private enum Status {
        static let done: Int32 = 40
        static let refused: Int32 = 41
    }

    /// Reads a deed from the bytes `deed:<name>` at the start of an image.
    init?(_ bytes: Span<UInt8>) {
        let text = Words.first(40, of: bytes)
        guard text.hasPrefix("deed:") else { return nil }
        self.init(rawValue: String(text.dropFirst(5)))
    }

    func perform() {
        switch self {
        case .segv: raiseFault()
        case .abort: Glibc.abort()
        case .hang: while true { pause() }
        case .spin: while getpid() > 0 {}
        case .leave: exit(0)
        case .allocate: end(unsafe kept.keep(malloc(100 << 30)))
        case .fill: fillMemory()
        case .print: printAndGoOn()
        case .readFile: end(unsafe open("/etc/passwd", O_RDONLY) >= 0)
        case .readFont:
            end(unsafe open("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", O_RDONLY) >= 0)
        case .listFolder: end(unsafe open("/etc", O_RDONLY | O_DIRECTORY) >= 0)
        case .writeFile: end(unsafe open("/dev/null", O_RDWR) >= 0)
        case .makeFile: end(unsafe open("/tmp/worker-was-here", O_WRONLY | O_CREAT, 0o600) >= 0)
        case .removeFile: end(unsafe unlink("/tmp/worker-was-here") == 0)
        case .socket: end(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0)
        case .execute: execute()
        case .spawn: spawn()
        case .changeUser: end(setuid(1) == 0)
        case .shootParent: end(kill(getppid(), SIGKILL) == 0)
        case .shootSelf: kill(getpid(), SIGKILL)
        case .raiseMemory: raiseMemory()
        case .runBytes: runBytes()
        case .runShared: runShared()
        case .makeExecutable: makeExecutable()
        case .readEnvironment:
            end(unsafe open("/proc/\(getppid())/environ", O_RDONLY) >= 0)
        case .thread: startThread()
        case .nonsense: send([255, 1, 2, 3])
        case .flood: send([UInt8](repeating: 1, count: 60_000))
        case .lieAboutTable: send([2] + words(1) + words(1 << 19) + [0])
        case .claimTheRegion: send([1] + words(1 << 29))
        case .answerTwice:
            send([1] + words(2_000_000))
            send([1] + words(2_000_000))
        case .hangUp:
            close(3)
            while true { pause() }
        }
    }

    private func end(_ worked: Bool) -> Never { _exit(worked ? Status.done : Status.refused) }

    private func raiseFault() {
        let nowhere = unsafe UnsafeMutablePointer<Int>(bitPattern: 64)
        unsafe nowhere?.pointee = 1
    }

    private func fillMemory() -> Never {
        while true {
            guard unsafe kept.keep(malloc(8 << 20)) else { Glibc.abort() }
        }
    }

    private func printAndGoOn() {
        _ = unsafe write(1, "noise", 5)
        _ = unsafe write(2, "noise", 5)
    }

    private func execute() -> Never {
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        end(unsafe execv("/bin/true", &arguments) == 0)
    }

    private func spawn() -> Never {
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        var child: pid_t = 0
        end(unsafe posix_spawn(&child, "/bin/true", nil, nil, &arguments, nil) == 0)
    }

    private func runBytes() -> Never {
        let page = unsafe mmap(
            nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        end(unsafe page != MAP_FAILED)
    }

    /// Executes memory that the parent can write, too.
    private func runShared() -> Never {
        let page = unsafe mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, 4, 0)
        end(unsafe page != MAP_FAILED)
    }

    private func makeExecutable() -> Never {
        let page = unsafe mmap(
            nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        end(unsafe mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0)
    }

    /// Tries to remove the limit on the address space.
    private func raiseMemory() -> Never {
        var limit = rlimit(rlim_cur: rlim_t.max, rlim_max: rlim_t.max)
        end(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    }

    private func startThread() -> Never {
        var id = pthread_t()
        end(unsafe pthread_create(&id, nil, { _ in nil }, nil) == 0)
    }

    private func send(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe write(3, $0.baseAddress, $0.count) }
    }

    private func words(_ value: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
