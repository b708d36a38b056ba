import Engine
import Render
import Synchronization
import System
import Worker

/// A backend that carries out the orders of a run with the library's shared workers and limits.
final class LibraryBackend: RenderBackend {
    private let decoding: Decoding
    private let themed: ThemedRenderer
    private let endsRun: Bool
    private let drawings: Budget
    /// The reason why nothing can be decoded, if `endsRun`.
    private let runError = Mutex<OrderError?>(nil)

    /// - Parameters:
    ///   - drawings: The number of images drawn at once.
    ///   - endsRun: Whether the run ends if decoding is not possible anywhere.
    init(
        _ theme: Theme, _ decoding: Decoding, drawings: Int, endsRun: Bool = false
    ) {
        self.drawings = Budget(total: drawings)
        self.decoding = decoding
        themed = theme.resolved.renderer
        self.endsRun = endsRun
    }

    var renderer: Renderer { themed.renderer }
    /// Does nothing: the workers belong to the program.
    func close() {}
    var failure: OrderError? { runError.withLock { $0 } }

    var confinement: Confinement {
        decoding.isolation == .none ? .none : Workers.shared.confinement
    }

    func render(_ order: RenderOrder) async -> RenderAnswer {
        do {
            let drawing = try await drawings.grant(of: 1)
            let answer = try await decoding.answer(order, with: themed)
            _ = consume drawing
            return answer
        } catch {
            guard !Task.isCancelled else {
                return RenderAnswer(result: .failure(.render(.stopped)))
            }
            if case EmblemError.busy(let reason) = error {
                return RenderAnswer(result: .failure(.busy(reason)))
            }
            // The error concerns the workers, so it must not be reported as a fault of the image.
            let reason = OrderError.unavailable(WorkerLack("\(error)"))
            if endsRun { runError.withLock { $0 = $0 ?? reason } }
            return RenderAnswer(result: .failure(reason))
        }
    }
}
