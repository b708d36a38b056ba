import Cell
import Render
import Synchronization

/// Orders of a run, carried out among all others of the library: its workers, its memory, its
/// patience.
final class LibraryBackend: RenderBackend {
    private let decoding: Decoding
    private let themed: ThemedRenderer
    private let lack = Mutex<OrderError?>(nil)

    init(_ decoding: Decoding, _ themed: ThemedRenderer) {
        self.decoding = decoding
        self.themed = themed
    }

    var renderer: Renderer { themed.renderer }
    /// The workers are the program's.
    func close() {}
    var failure: OrderError? { lack.withLock { $0 } }

    /// What held the pictures of the run.
    var confinement: Confinement {
        decoding.isolation == .none ? .none : Workers.shared.confinement
    }

    /// - Parameter admit: is not asked, since memory is the library's to give.
    func render(
        _ order: RenderOrder, admit: (RenderCost) async -> Bool
    ) async -> RenderAnswer {
        var order = order
        order.patienceNanoseconds = decoding.timeoutNanoseconds
        order.processorNanoseconds = decoding.processorNanoseconds
        do {
            let answer = try await decoding.answer(order, with: themed)
            if case .failure(.unavailable(let reason)) = answer.result {
                lack.withLock { $0 = $0 ?? .unavailable(reason) }
            }
            return answer
        } catch {
            guard !Task.isCancelled else {
                return RenderAnswer(result: .failure(.render(.stopped)))
            }
            // Nowhere to decode is no picture's doing, and no other one would fare better.
            let reason = OrderError.unavailable(CellLack("\(error)"))
            lack.withLock { $0 = $0 ?? reason }
            return RenderAnswer(result: .failure(reason))
        }
    }
}
