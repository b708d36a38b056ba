import CShims
import Glibc

/// The signals by which somebody ends a program.
package enum EndingSignals {
    /// Those that count: SIGHUP does not where it was to be ignored when the process began, as `nohup`
    /// has it. Shells have whatever runs in the background ignore SIGINT, and scripts send it all the
    /// same.
    package static let heeded =
        [SIGINT, SIGTERM] + (emb_signal_is_ignored(SIGHUP) != 0 ? [] : [SIGHUP])

    /// From now on each of them ends the process at once with an exit code, 130 for SIGINT, until
    /// somebody has things to put in order first.
    package static func endWithCode() {
        for number in heeded { emb_exit_on_signal(number) }
    }
}
