import Foundation
import Glibc

extension Process {
    /// Waits for the end, and returns the exit status or the signal.
    ///
    /// Foundation's `waitUntilExit` sometimes misses the end and then never returns.
    package func end() -> Int32 {
        var pause: useconds_t = 200
        while isRunning {
            var state = unsafe siginfo_t()
            let answer = unsafe waitid(
                P_PID, id_t(processIdentifier), &state, WEXITED | WNOHANG | WNOWAIT)
            // The process has terminated and was not reaped yet.
            if answer == 0, unsafe state._sifields._sigchld.si_pid == processIdentifier {
                return unsafe state._sifields._sigchld.si_status
            }
            usleep(pause)
            pause = min(pause * 2, 10_000)
        }
        return terminationStatus
    }
}
