import CShims
import Gauge
import Glibc
import Synchronization
import System

/// What one run of a program took.
package struct ProgramEnd: Hashable, Sendable {
    /// As a shell tells it: 128 and the number of the signal for one that was killed.
    package var exitCode: Int32
    /// From its start to its end, as a person at the prompt waits for it.
    package var seconds: Double
    /// Of all its processes.
    package var userSeconds: Double
    /// Of all its processes.
    package var systemSeconds: Double
    /// Of the largest of its processes.
    package var peakResidentBytes: Int

    /// What was measured, or what a test says was.
    package init(
        exitCode: Int32 = 0, seconds: Double, userSeconds: Double, systemSeconds: Double,
        peakResidentBytes: Int
    ) {
        self.exitCode = exitCode
        self.seconds = seconds
        self.userSeconds = userSeconds
        self.systemSeconds = systemSeconds
        self.peakResidentBytes = peakResidentBytes
    }

    /// User and system time together.
    package var cpuSeconds: Double { userSeconds + systemSeconds }
}

/// Starts this very program again, one child at a time, and can be told to stop.
package final class ChildRunner: Sendable {
    private struct State {
        var child: pid_t?
        var isStopped = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Somebody asked for an end.
    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Asks the child under way to end in order, and lets no other one start.
    package func stop() {
        state.withLock { state in
            state.isStopped = true
            if let child = state.child { kill(child, SIGTERM) }
        }
    }

    /// Runs the tool with these words; what it prints goes to the file `output`.
    package func run(_ words: [String], output: String) throws(BenchError) -> ProgramEnd {
        let descriptor = unsafe open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .noScratch("\(output): \(Self.reason(errno))") }
        defer { close(descriptor) }
        let start = MonotonicClock.now
        let child = try begin(["emblem"] + words, descriptor)
        _ = emb_program_await(child)
        let nanoseconds = MonotonicClock.elapsed(since: start)
        state.withLock { $0.child = nil }
        var end = emb_program_end()
        let code = unsafe emb_program_collect(child, &end)
        guard code == 0 else { throw .notStarted(Self.reason(code)) }
        guard !isStopped else { throw .stopped }
        return ProgramEnd(
            exitCode: end.code, seconds: Double(nanoseconds) / 1e9,
            userSeconds: end.user_seconds, systemSeconds: end.system_seconds,
            peakResidentBytes: end.peak_kilobytes &* 1024)
    }

    /// A stop that comes while the child is being started finds it.
    private func begin(_ words: [String], _ descriptor: Int32) throws(BenchError) -> pid_t {
        let text = words.flatMap { Array($0.utf8CString) }
        return try state.withLock { (state) throws(BenchError) in
            guard !state.isStopped else { throw .stopped }
            var child: pid_t = 0
            let code = unsafe emb_program_start(
                "/proc/self/exe", text, Int32(words.count), descriptor, &child)
            guard code == 0 else { throw .notStarted(Self.reason(code)) }
            state.child = child
            return child
        }
    }

    private static func reason(_ code: Int32) -> String {
        unsafe String(cString: strerror(code))
    }
}
