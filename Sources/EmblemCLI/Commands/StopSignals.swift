import Dispatch
import Glibc
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into an orderly stop; a second one ends the process at once.
///
/// `@unchecked` because of the sources: they are made in `init` and only let go of afterwards.
final class StopSignals: @unchecked Sendable {
    /// The first signal that came.
    private final class Receipt: Sendable {
        private let number = Mutex<Int32?>(nil)

        var first: Int32? { number.withLock { $0 } }

        /// Notes a signal; whether it is the first.
        func take(_ new: Int32) -> Bool {
            number.withLock { number in
                guard number == nil else { return false }
                number = new
                return true
            }
        }
    }

    private let receipt = Receipt()
    private let sources: [any DispatchSourceSignal]

    /// Calls `stop` on the first signal.
    init(stop: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { [receipt] number in
            // The source sees the signal only where the default action is out of the way.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard receipt.take(number) else { _exit(128 + number) }
                stop()
            }
            source.resume()
            return source
        }
    }

    /// The exit code for the signal that stopped the run: 130 for SIGINT, 143 for SIGTERM.
    var exitCode: Int32? { receipt.first.map { 128 + $0 } }
}
