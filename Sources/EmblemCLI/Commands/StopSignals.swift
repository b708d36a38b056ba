import Dispatch
import Glibc
import Synchronization
import System

/// Turns SIGINT, SIGTERM and SIGHUP into an orderly stop; a second signal ends the process at once.
///
/// `@unchecked` because of the signal sources, which are created in `init` and never changed.
final class StopSignals: @unchecked Sendable {
    /// The first signal that arrived, and the function to call then.
    private final class FirstSignal: Sendable {
        private struct State {
            var number: Int32?
            var stop: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())

        var first: Int32? { state.withLock { $0.number } }

        /// Records the first signal and stops the run; returns false for a later signal.
        func take(_ new: Int32) -> Bool {
            let (isFirst, stop) = state.withLock { state in
                guard state.number == nil else { return (false, nil as (@Sendable () -> Void)?) }
                state.number = new
                return (true, state.stop)
            }
            stop?()
            return isFirst
        }

        /// Sets the function to call on the first signal; calls it at once if a signal has arrived.
        func call(_ stop: @escaping @Sendable () -> Void) {
            let isLate = state.withLock { state in
                state.stop = stop
                return state.number != nil
            }
            if isLate { stop() }
        }
    }

    private let firstSignal = FirstSignal()
    private let sources: [any DispatchSourceSignal]

    /// Replaces the default action of the signals. Until a source is active, the handler of
    /// `EndingSignals` still works, so that no signal is lost.
    init() {
        // A private queue has a thread at once; the threads of the global queues may all be
        // blocked.
        let queue = DispatchQueue(label: "emblem.signals")
        let taken = DispatchGroup()
        sources = EndingSignals.heeded.map { [firstSignal] number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                guard firstSignal.take(number) else { _exit(128 + number) }
            }
            taken.enter()
            source.setRegistrationHandler { taken.leave() }
            source.resume()
            return source
        }
        taken.wait()
    }

    /// Calls `stop` on the first signal, or immediately if one has arrived.
    func onFirst(_ stop: @escaping @Sendable () -> Void) { firstSignal.call(stop) }

    /// The exit code for the signal that stopped the run: 130 for SIGINT, 143 for SIGTERM.
    var exitCode: Int32? { firstSignal.first.map { 128 + $0 } }
}
