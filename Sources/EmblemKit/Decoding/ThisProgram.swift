import Engine
import Render
import Synchronization
import System

/// Decoding in the program, where a started step cannot be stopped.
///
/// A call returns when its time limit expires or its task is cancelled. The thread that decodes an
/// endless image continues, and another thread replaces it. The number of such abandoned images is
/// limited.
enum ThisProgram {
    /// The number of images that were abandoned and are still being decoded.
    private static let abandoned = Mutex(0)
    /// The number of threads that were added to replace blocked threads.
    private static let replacements = Mutex(0)

    private static var abandonedLimit: Int { OrderQueue.here.slots }

    static func render(_ order: RenderOrder, _ renderer: Renderer) async -> RenderAnswer {
        guard abandoned.withLock({ $0 }) < abandonedLimit else {
            return RenderAnswer(
                result: .failure(
                    .busy(
                        "\(abandonedLimit) pictures are still being decoded in this program after "
                            + "their timeout; no other is started before one of them ends.")))
        }
        do throws(OrderError) {
            let place = try await OrderQueue.here.place(for: order, in: renderer)
            return await attempt(order, place, in: InProcess(renderer, .here))
        } catch {
            return RenderAnswer(result: .failure(error))
        }
    }

    private static func attempt(
        _ order: RenderOrder, _ place: consuming OrderPlace, in backend: InProcess
    ) async -> RenderAnswer {
        let run = Run(place)
        let work = Task.detached(executorPreference: Executors.decoding) {
            run.end(backend.attempt(order))
        }
        let timer = Task.detached(executorPreference: Executors.work) {
            await run.expire(after: order.patienceNanoseconds)
        }
        let answer = await run.answer.value {
            work.cancel()
            run.answer.resume(returning: RenderAnswer(result: .failure(.render(.stopped))))
        }
        if run.isOver { timer.cancel() }
        return answer
    }

    /// One attempt to decode an image, which may be abandoned.
    private final class Run: Sendable {
        private enum State {
            case working, over, abandoned
        }

        let answer = Waiter<RenderAnswer>()
        private let state = Mutex(State.working)
        private let place: Mutex<OrderPlace?>

        init(_ place: consuming OrderPlace) { self.place = Mutex(place) }

        var isOver: Bool { state.withLock { $0 == .over } }

        func end(_ result: RenderAnswer) {
            let wasAbandoned = state.withLock { state in
                defer { state = .over }
                return state == .abandoned
            }
            if wasAbandoned { ThisProgram.abandoned.withLock { $0 -= 1 } }
            place.withLock { $0 = nil }
            answer.resume(returning: result)
        }

        /// Abandons the image when its time limit expires. Its memory stays in use until its
        /// decoding ends.
        func expire(after nanoseconds: UInt64) async {
            // Wait 50 ms longer, so that a decoder that notices the time limit between two steps
            // can end normally.
            let limit = Duration.nanoseconds(Int64(clamping: nanoseconds))
            try? await Task.sleep(for: limit + .milliseconds(50))
            let isAbandoned = state.withLock { state in
                guard state == .working else { return false }
                state = .abandoned
                return true
            }
            guard isAbandoned else { return }
            let count = ThisProgram.abandoned.withLock { count in
                count += 1
                return count
            }
            ThisProgram.replace(upTo: count)
            place.withLock { $0?.releaseSlot() }
            answer.resume(returning: RenderAnswer(result: .failure(.timeout)))
        }
    }

    /// Adds a thread if fewer threads were added than images are abandoned.
    private static func replace(upTo count: Int) {
        let needsThread = replacements.withLock { replacements in
            guard replacements < count else { return false }
            replacements += 1
            return true
        }
        if needsThread { Executors.decoding?.grow() }
    }
}
