import Dispatch
import Glibc
import Synchronization
import System

/// Turns SIGINT, SIGTERM and SIGHUP into an orderly stop; a second signal ends the process at once.
/// The signals stay taken until the process ends.
///
/// `@unchecked` because of the signal sources, which are created in `init` and never changed.
final class StopSignals: @unchecked Sendable {
    private struct State {
        var first: Int32?
        var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private var sources: [any DispatchSourceSignal] = []

    /// Replaces the default action of the signals. Until a source is active, the handler of
    /// `EndingSignals` still works, so that no signal is lost.
    init() {
        // A private queue has a thread at once; the threads of the global queues may all be
        // blocked.
        let queue = DispatchQueue(label: "emblem.signals")
        let taken = DispatchGroup()
        for number in EndingSignals.heeded {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { self.take(number) }
            taken.enter()
            source.setRegistrationHandler { taken.leave() }
            source.resume()
            sources.append(source)
        }
        taken.wait()
    }

    private func take(_ number: Int32) {
        let stop = state.withLock { state -> (@Sendable () -> Void)? in
            if state.first != nil { _exit(128 + number) }
            state.first = number
            return state.stop
        }
        stop?()
    }

    /// Calls `stop` on the first signal, or immediately if one has arrived.
    func onFirst(_ stop: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.stop = stop
            return state.first != nil
        }
        if isLate { stop() }
    }

    /// The exit code for the signal that stopped the run: 130 for SIGINT, 143 for SIGTERM.
    var exitCode: Int32? { state.withLock { $0.first }.map { 128 + $0 } }
}
