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

/// A line that is written to a file if the process crashes while the thread that set it is at work.
package enum CrashNote {
    /// Has the lines written to a descriptor, which stays open until `end()`. Handles the signals of
    /// faults from now on, so it is for programs, not for libraries.
    package static func begin(_ descriptor: Int32) { emb_crash_notes_begin(descriptor) }

    /// Has no more lines written.
    package static func end() { emb_crash_notes_end() }

    /// Calls `body` on this thread with its line set.
    package static func during<Result, Failure: Error>(
        _ line: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let copy = unsafe strdup(line)
        unsafe emb_crash_note_set(copy)
        defer {
            emb_crash_note_set(nil)
            unsafe free(copy)
        }
        return try body()
    }
}
