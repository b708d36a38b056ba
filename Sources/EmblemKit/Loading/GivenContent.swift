import Artwork
import Engine
import FoundationEssentials
import Gauge
import Render
import Transport

/// The content to show in an emblem or avatar.
enum ComponentContent: Hashable, Sendable {
    case source(ImageSource)
    case initials(Initials)
}

/// The content of an item as a source for the engine, or a failure that is known in advance.
struct GivenContent: GivenSource {
    let content: Result<ComponentContent, any Error>
    let loading: SourceLoading
    var id: String?

    func load() async throws(JobStop) -> LoadedSource {
        do {
            switch try content.get() {
            case .initials(let initials): return LoadedSource(.initials(initials))
            case .source(let source):
                return try await source.load(loading, id: id).source
            }
        } catch {
            throw Task.isCancelled ? .canceled : .failure(ItemFailure(loading: error))
        }
    }
}

/// An adapter that lets the engine use the custom loader of a batch written to a folder.
struct CustomLoader: SourceLoader {
    let loading: SourceLoading

    func load(_ url: String) async throws(JobStop) -> LoadedSource {
        guard let url = URL(string: url) else {
            throw .failure(ItemFailure(.badURL, stage: .fetch))
        }
        do {
            let held = try await loading.load(url, id: nil)
            return LoadedSource(try await held.image.fileBytes(), held: held.body)
        } catch {
            throw Task.isCancelled ? .canceled : .failure(ItemFailure(loading: error))
        }
    }
}

extension HeldImage {
    fileprivate var source: LoadedSource {
        image.bytes.isEmpty
            ? LoadedSource(image.subject, byteCount: image.byteCount)
            : LoadedSource(image.bytes, held: body)
    }
}

extension Image {
    /// The subject of the render order: an image to decode, pixels, or an icon.
    var subject: RenderOrder.Subject {
        switch content {
        case .encoded, .missing: .picture
        case .pixels(let shared): .raster(shared)
        case .icon(let icon): .icon(icon)
        }
    }

    /// The encoded bytes to decode; empty for pixels and icons.
    var bytes: [UInt8] {
        if case .encoded(let bytes) = content { bytes } else { [] }
    }

    /// Returns the image as a file: the original file, or a PNG of its pixels.
    func fileBytes() async throws -> [UInt8] {
        if let encoded { return encoded }
        return Array(try await data(as: .png))
    }
}

extension ItemFailure {
    fileprivate init(loading error: any Error) {
        switch error {
        case EmblemError.missingURL: self.init(.missingURL, stage: .fetch, cause: error)
        case EmblemError.failedToLoad(let cause):
            self.init(
                ErrorClass(rawValue: cause.errorClass) ?? .connect, stage: .fetch,
                detail: cause.reason, status: cause.status, isRetryable: cause.isRetryable,
                cause: error)
        case EmblemError.failedToDecode(let cause):
            self.init(
                ErrorClass(rawValue: cause.errorClass) ?? .corrupt, stage: .decode,
                detail: cause.reason, isRetryable: cause.isRetryable, cause: error)
        case EmblemError.busy(let reason):
            self.init(.busy, stage: .decode, detail: reason, cause: error)
        case EmblemError.unavailable(let reason):
            self.init(.unavailable, stage: .decode, detail: reason, cause: error)
        default:
            self.init(
                .connect, stage: .fetch, detail: "\(error)",
                isRetryable: (error as? EmblemError)?.isRetryable, cause: error)
        }
    }

    /// The failure as the error that the library throws.
    var thrown: any Error {
        switch cause?.error {
        case let error as OrderError: EmblemError(error)
        case let error?: error
        case nil where stage == RunStage.fetch.rawValue: EmblemError(self)
        case nil:
            EmblemError.failedToDecode(
                detail.isEmpty ? message : detail, errorClass, isRetryable: isRetryable)
        }
    }
}
