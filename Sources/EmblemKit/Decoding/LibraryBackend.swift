import Cell
import Render
import Synchronization

/// A backend that carries out the orders of a run with the library's shared workers, memory and
/// timeouts.
final class LibraryBackend: RenderBackend {
    private let decoding: Decoding
    private let themed: ThemedRenderer
    private let endsRun: Bool
    private let lack = Mutex<OrderError?>(nil)

    /// - Parameter endsRun: Whether the run ends if decoding is not possible anywhere.
    init(_ renderer: EmblemRenderer, _ decoding: Decoding?, endsRun: Bool = false) {
        self.decoding = decoding ?? renderer.decoding ?? DesignSystem.shared.decoding
        themed = renderer.themed
        self.endsRun = endsRun
    }

    var renderer: Renderer { themed.renderer }
    /// Does nothing: the workers belong to the program.
    func close() {}
    var failure: OrderError? { lack.withLock { $0 } }

    /// The confinement of the workers of this run.
    var confinement: Confinement {
        decoding.isolation == .none ? .none : Workers.shared.confinement
    }

    /// - Parameter admit: Not called, because the library grants the memory.
    func render(
        _ order: RenderOrder, admit: (RenderCost) async -> Bool
    ) async -> RenderAnswer {
        do {
            return try await decoding.answer(order, with: themed)
        } catch {
            guard !Task.isCancelled else {
                return RenderAnswer(result: .failure(.render(.stopped)))
            }
            // The image is not the cause of a missing worker.
            let reason = OrderError.unavailable(CellLack("\(error)"))
            if endsRun { lack.withLock { $0 = $0 ?? reason } }
            return RenderAnswer(result: .failure(reason))
        }
    }
}
