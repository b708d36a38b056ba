import Engine
import FoundationEssentials
import Transport

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
