import Cell
import Engine
import FoundationEssentials
import Render
import Synchronization
import Transport

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
        order.allowanceBytes = 0
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

/// The loader of a batch as a run asks it.
struct CustomLoader: SourceLoader {
    private let loader: any AsyncEmblemImageLoader

    init(_ loader: any AsyncEmblemImageLoader) { self.loader = loader }

    func load(
        _ url: String
    ) async throws(JobStop) -> (bytes: [UInt8], held: (any Sendable)?) {
        guard let url = URL(string: url) else {
            throw .failure(ItemFailure(.badURL, stage: .fetch))
        }
        do {
            let held = try await ImageSource.remote(url: url).loadUnchecked(with: loader)
            return (try held.image.fileBytes(), held.body)
        } catch {
            throw Task.isCancelled ? .canceled : .failure(ItemFailure(loading: error))
        }
    }
}

extension Image {
    /// The picture as a file: its own where it came from one, else a PNG of its pixels.
    func fileBytes() throws(EmblemError) -> [UInt8] {
        if let encoded { return encoded }
        return Array(try pngData())
    }
}

extension ItemFailure {
    /// What a loader threw, of ours or of anybody.
    fileprivate init(loading error: any Error) {
        switch error {
        case EmblemError.missingURL: self.init(.missingURL, stage: .fetch)
        case EmblemError.failedToLoad(let cause):
            self.init(
                ErrorClass(rawValue: cause.errorClass) ?? .connect, stage: .fetch,
                detail: cause.reason, status: cause.status, isRetryable: cause.isRetryable)
        case EmblemError.failedToDecode(let reason):
            self.init(.corrupt, stage: .decode, detail: reason)
        default: self.init(.connect, stage: .fetch, detail: "\(error)")
        }
    }
}

/// Counts items as they end, for whoever shows progress.
final class ProgressTally: Sendable {
    private let progress: Mutex<BatchProgress>
    private let tell: @Sendable (BatchProgress) -> Void

    init(total: Int, _ tell: @escaping @Sendable (BatchProgress) -> Void) {
        progress = Mutex(BatchProgress(total: total))
        self.tell = tell
    }

    func count(_ record: ItemRecord) {
        let status: EmblemOutcome.Status? =
            switch record.status {
            case .ok: .ok
            case .placeholder: .placeholder
            case .failed: .failed
            case .canceled: nil
            }
        guard let status else { return }
        tell(
            progress.withLock {
                $0.count(status)
                return $0
            })
    }
}
