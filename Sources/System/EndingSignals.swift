import CShims
import Glibc

/// The signals by which somebody ends a program.
package enum EndingSignals {
    /// Those that count: not what was to be ignored when the process began, as `nohup` has it.
    package static let heeded = [SIGINT, SIGTERM, SIGHUP].filter { emb_signal_is_ignored($0) == 0 }

    /// From now on each of them ends the process at once with an exit code, 130 for SIGINT, until
    /// somebody has things to put in order first.
    package static func endWithCode() {
        for number in heeded { emb_exit_on_signal(number) }
    }
}
