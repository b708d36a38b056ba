import Dispatch
import Glibc
import Synchronization
import System

/// Turns SIGINT, SIGTERM and SIGHUP into an orderly stop; a second one ends the process at once.
///
/// `@unchecked` because of the sources: they are made in `init` and only let go of afterwards.
final class StopSignals: @unchecked Sendable {
    /// The first signal that came, and what shall happen then.
    private final class Receipt: Sendable {
        private struct State {
            var number: Int32?
            var stop: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())

        var first: Int32? { state.withLock { $0.number } }

        /// Notes a signal and stops what there is to stop; `false` for any but the first.
        func take(_ new: Int32) -> Bool {
            let (isFirst, stop) = state.withLock { state in
                guard state.number == nil else { return (false, nil as (@Sendable () -> Void)?) }
                state.number = new
                return (true, state.stop)
            }
            stop?()
            return isFirst
        }

        func call(_ stop: @escaping @Sendable () -> Void) {
            let isLate = state.withLock { state in
                state.stop = stop
                return state.number != nil
            }
            if isLate { stop() }
        }
    }

    private let receipt = Receipt()
    private let sources: [any DispatchSourceSignal]

    /// From now on no signal ends the process by itself. Until a source has taken its place, what
    /// `EndingSignals` has put there does: none is lost in between.
    init() {
        // A queue of its own, which gets a thread at once: those that are shared may all be waiting
        // here, as many as there are cores.
        let queue = DispatchQueue(label: "emblem.signals")
        let taken = DispatchGroup()
        sources = EndingSignals.heeded.map { [receipt] number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                guard receipt.take(number) else { _exit(128 + number) }
            }
            taken.enter()
            source.setRegistrationHandler { taken.leave() }
            source.resume()
            return source
        }
        taken.wait()
    }

    /// Calls `stop` on the first signal, at once where it has come already.
    func onFirst(_ stop: @escaping @Sendable () -> Void) { receipt.call(stop) }

    /// The exit code for the signal that stopped the run: 130 for SIGINT, 143 for SIGTERM.
    var exitCode: Int32? { receipt.first.map { 128 + $0 } }
}
