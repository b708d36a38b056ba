import CShims
import Glibc

/// The signals by which somebody ends a program.
package enum EndingSignals {
    /// The signals that end this program. SIGHUP and SIGINT do not where they were ignored when the
    /// process began: `nohup` ignores SIGHUP, and a script ignores SIGINT for its background jobs.
    package static let heeded =
        [SIGTERM] + [SIGINT, SIGHUP].filter { emb_signal_is_ignored($0) == 0 }

    /// From now on each of them ends the process at once with an exit code, 130 for SIGINT, until
    /// somebody has things to put in order first.
    package static func endWithCode() {
        for number in heeded { emb_exit_on_signal(number) }
    }
}
