import Cell
import Render
import Synchronization

/// Orders of a run, carried out among all others of the library: its workers, its memory, its
/// patience.
final class LibraryBackend: RenderBackend {
    private let decoding: Decoding
    private let themed: ThemedRenderer
    private let endsRun: Bool
    private let lack = Mutex<OrderError?>(nil)

    /// - Parameter endsRun: with nowhere to decode there is nothing more to do for the run.
    init(_ renderer: EmblemRenderer, _ decoding: Decoding?, endsRun: Bool = false) {
        self.decoding = decoding ?? renderer.decoding ?? DesignSystem.shared.decoding
        themed = renderer.themed
        self.endsRun = endsRun
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
        do {
            return try await decoding.answer(order, with: themed)
        } catch {
            guard !Task.isCancelled else {
                return RenderAnswer(result: .failure(.render(.stopped)))
            }
            // Nowhere to decode is no picture's doing.
            let reason = OrderError.unavailable(CellLack("\(error)"))
            if endsRun { lack.withLock { $0 = $0 ?? reason } }
            return RenderAnswer(result: .failure(reason))
        }
    }
}
