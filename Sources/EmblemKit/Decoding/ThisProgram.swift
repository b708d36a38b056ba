import Engine
import Render
import Synchronization
import System

/// Decoding in the program, where a started step cannot be stopped.
///
/// A call returns when its time limit expires or its task is cancelled. The thread that decodes an
/// endless image continues. The number of such abandoned images is limited.
enum ThisProgram {
    /// The number of images that were abandoned and are still being decoded.
    private static let abandoned = Mutex(0)

    static func render(_ order: RenderOrder, _ renderer: Renderer) async -> RenderAnswer {
        let limit = OrderQueue.here.slots
        do throws(OrderError) {
            guard abandoned.withLock({ $0 }) < limit else {
                throw .busy(
                    "\(limit) pictures are still being decoded in this program after their "
                        + "timeout; no other is started before one of them ends.")
            }
            let run = Run(try await OrderQueue.here.place(for: order, in: renderer))
            let backend = InProcess(renderer, .here)
            let isStarted = Thread.start("emblem-decode") {
                run.end(backend.attempt(order) { run.isStopped })
            }
            guard isStarted else { throw .busy("The system refuses another thread.") }
            return await run.answer(order.patienceNanoseconds)
        } catch {
            return RenderAnswer(result: .failure(error))
        }
    }

    /// The decoding of one image, which may be abandoned.
    private final class Run: Sendable {
        private enum State {
            case working, abandoned, over
        }

        private let waiter = Waiter<RenderAnswer>()
        private let state = Mutex(State.working)
        private let place: Mutex<OrderPlace?>
        /// Whether nothing waits for the image any more.
        private let isUnwanted = Atomic(false)

        init(_ place: consuming OrderPlace) { self.place = Mutex(place) }

        var isStopped: Bool { isUnwanted.load(ordering: .relaxed) }

        /// Waits for the answer, the time limit or the cancellation of the task.
        func answer(_ nanoseconds: UInt64) async -> RenderAnswer {
            let timer = Task.detached(executorPreference: Executors.work) {
                // Waits 50 ms longer, so that a decoder that notices the time limit between two
                // steps can end normally.
                let limit = Duration.nanoseconds(Int64(clamping: nanoseconds))
                try? await Task.sleep(for: limit + .milliseconds(50))
                if !Task.isCancelled { self.expire() }
            }
            defer { if state.withLock({ $0 == .over }) { timer.cancel() } }
            return await waiter.value {
                self.isUnwanted.store(true, ordering: .relaxed)
                self.waiter.resume(returning: RenderAnswer(result: .failure(.render(.stopped))))
            }
        }

        func end(_ answer: RenderAnswer) {
            let wasAbandoned = state.withLock { state in
                defer { state = .over }
                return state == .abandoned
            }
            if wasAbandoned { ThisProgram.abandoned.withLock { $0 -= 1 } }
            place.withLock { $0 = nil }
            waiter.resume(returning: answer)
        }

        /// Abandons the image. Its memory stays in use until its decoding ends.
        private func expire() {
            let isAbandoned = state.withLock { state in
                guard state == .working else { return false }
                state = .abandoned
                return true
            }
            guard isAbandoned else { return }
            isUnwanted.store(true, ordering: .relaxed)
            ThisProgram.abandoned.withLock { $0 += 1 }
            place.withLock { $0?.releaseSlot() }
            waiter.resume(returning: RenderAnswer(result: .failure(.timeout)))
        }
    }
}
