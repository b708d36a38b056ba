import Glibc
import Worker

/// A process that divides at its beginning, as the tool does, and waits to be looked at:
/// `WorkerProbe divided FILE` writes the numbers of those that came of it into a file, and with `idle`
/// behind it asks for none of them before it is told to.
enum Divided {
    static func main() -> Never {
        block()
        let isIdle = RawArguments.has("idle", at: 3)
        Prefork.prepare(count: 2, mayIdle: isIdle)
        ProcessPrivacy.hide()
        if isIdle { awaitSignal() }
        let text = Prefork.processes.map { "\($0)" }.joined(separator: " ")
        NumberFile.write(text, to: RawArguments.all.dropFirst(2).first ?? "numbers")
        // Until it is told to end them: whatever state they are in then.
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

/// A file that is there whole or not at all, by its second name.
enum NumberFile {
    static func write(_ text: String, to path: String) {
        guard let file = unsafe fopen(path, "w") else { return }
        _ = unsafe fputs(text, file)
        _ = unsafe fclose(file)
        _ = unsafe rename(path, path + ".whole")
    }
}
