import Glibc
import Worker

/// A process that forks workers at its start, as the tool does: `WorkerProbe divided FILE` writes
/// their process ids to a file and waits. With `idle` after it, the workers are requested only
/// after a signal.
enum Divided {
    static func main() -> Never {
        block()
        let isIdle = RawArguments.has("idle", at: 3)
        Prefork.prepare(count: 2, mayIdle: isIdle)
        ProcessPrivacy.hide()
        if isIdle { awaitSignal() }
        let text = Prefork.processes.map { "\($0)" }.joined(separator: " ")
        NumberFile.write(text, to: RawArguments.all.dropFirst(2).first ?? "numbers")
        // Waits for a signal, and then ends the workers in any state.
        awaitSignal()
        Prefork.close()
        exit(0)
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGUSR1)
        return signals
    }

    private static func block() {
        var signals = signals
        unsafe sigprocmask(SIG_BLOCK, &signals, nil)
    }

    private static func awaitSignal() {
        var signals = signals
        var number: Int32 = 0
        unsafe sigwait(&signals, &number)
    }
}

/// A file that is written under a temporary name and then renamed, so that it is complete whenever
/// it exists.
enum NumberFile {
    static func write(_ text: String, to path: String) {
        guard let file = unsafe fopen(path, "w") else { return }
        _ = unsafe fputs(text, file)
        _ = unsafe fclose(file)
        _ = unsafe rename(path, path + ".whole")
    }
}
