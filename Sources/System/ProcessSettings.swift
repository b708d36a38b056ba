import CShims
import Glibc

/// The signals that request the end of a program.
package enum EndingSignals {
    /// The signals that end this program. SIGHUP and SIGINT are excluded if they were ignored at
    /// startup: `nohup` ignores SIGHUP, and a script ignores SIGINT for its background jobs.
    package static let heeded =
        [SIGTERM] + [SIGINT, SIGHUP].filter { emb_signal_is_ignored($0) == 0 }

    /// Makes each signal in `heeded` end the process at once with an exit code (130 for SIGINT),
    /// until the program installs another handler.
    package static func endWithCode() {
        for number in heeded { emb_exit_on_signal(number) }
    }
}

/// The settings of the whole process, made while it has one thread.
package enum ProcessSettings {
    /// Sets a fixed language instead of that of the environment, so that a drawing looks the same
    /// everywhere.
    package static func settleLanguage() { emb_settle_language() }

    /// Keeps freed memory for the next image.
    ///
    /// By default the C library returns memory to the kernel after each image, and mapping the same
    /// pages again takes much of the run time.
    package static func keepMemory() { emb_keep_memory() }
}
