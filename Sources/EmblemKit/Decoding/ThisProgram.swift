import Cell
import Engine
import Render
import Synchronization
import System

/// Decoding in the program, where a started step cannot be stopped.
///
/// A caller returns when its time limit expires or its task is cancelled. The thread that decodes
/// an endless image continues and another thread replaces it. The number of such threads is
/// limited.
enum ThisProgram {
    /// The number of images that were abandoned and are still being decoded.
    private static let abandoned = Mutex(0)
    /// The number of threads that replaced blocked ones.
    private static let replacements = Mutex(0)

    private static var abandonedLimit: Int { DecodingMemory.seats.total }

    static func render(_ order: RenderOrder, _ renderer: Renderer) async throws -> RenderAnswer {
        guard abandoned.withLock({ $0 }) < abandonedLimit else {
            throw EmblemError.failedToDecode(
                "\(abandonedLimit) pictures are still being decoded in this program after their "
                    + "timeout; no other is started before one of them ends.")
        }
        let run = Run(seat: try await DecodingMemory.seats.grant(of: 1))
        let work = Task.detached(executorPreference: Executors.decoding) {
            var order = order
            order.allowanceBytes = run.memory.takeNow()
            let backend = InProcess(renderer, memoryBytes: DecodingMemory.bytes)
            run.end(await backend.render(order) { cost in await run.memory.take(cost.bytes) })
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

    /// An image that is being decoded.
    private final class Run: Sendable {
        private enum State {
            case working, over, abandoned
        }

        let answer = Waiter<RenderAnswer>()
        let memory = DecodingShare()
        private let began = MonotonicClock.now
        private let state = Mutex(State.working)
        private let seat: Mutex<Grant?>

        init(seat: consuming Grant) { self.seat = Mutex(seat) }

        var isOver: Bool { state.withLock { $0 == .over } }

        func end(_ result: RenderAnswer) {
            let wasAbandoned = state.withLock { state in
                defer { state = .over }
                return state == .abandoned
            }
            if wasAbandoned { ThisProgram.abandoned.withLock { $0 -= 1 } }
            memory.giveBack()
            seat.withLock { $0 = nil }
            answer.resume(returning: result)
        }

        /// Abandons the image when its time limit expires. The wait for memory does not count.
        func expire(after nanoseconds: UInt64) async {
            while true {
                let used = MonotonicClock.now &- began
                let (limit, overflow) = nanoseconds.addingReportingOverflow(
                    memory.waitedNanoseconds)
                guard !overflow, used < limit else { break }
                // Wait a little longer, so that work between two steps can finish normally.
                let rest = Duration.nanoseconds(Int64(clamping: limit - used))
                try? await Task.sleep(for: rest + .milliseconds(50))
                if isOver { return }
            }
            let isLeft = state.withLock { state in
                guard state == .working else { return false }
                state = .abandoned
                return true
            }
            guard isLeft else { return }
            let count = ThisProgram.abandoned.withLock { count in
                count += 1
                return count
            }
            ThisProgram.replace(upTo: count)
            seat.withLock { $0 = nil }
            answer.resume(returning: RenderAnswer(result: .failure(.timeout)))
        }
    }

    private static func replace(upTo count: Int) {
        let isShort = replacements.withLock { replacements in
            guard replacements < count else { return false }
            replacements += 1
            return true
        }
        if isShort { Executors.decoding?.grow() }
    }
}
