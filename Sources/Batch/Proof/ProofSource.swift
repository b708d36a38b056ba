import Artwork
import Digest
import Engine
import Gauge
import Render
import Synchronization
import Transport

/// The source of an item as the run saw it: bytes with the recorded digest, from a file or from the
/// cache.
final class ProofSource: GivenSource {
    private enum Candidate {
        /// The bytes of a source, whose digest is compared with the record, and the source to draw.
        case found([UInt8], LoadedSource)
        case missing(ProofGap)
    }

    private let texts: [String]
    private let digest: String
    private let folders: [FilePath]
    private let bytesLimit: Int
    private let network: LazyNetworkLoader
    private let storedGap = Mutex<ProofGap?>(nil)

    /// - Parameters:
    ///   - texts: The sources in the record. The record does not state which source was drawn; the
    ///     digest identifies it.
    ///   - folders: The folders that relative paths are looked up in.
    ///   - network: A loader that sends no requests.
    init(
        _ texts: [String], digest: String, in folders: [FilePath], bytesLimit: Int,
        _ network: LazyNetworkLoader
    ) {
        self.texts = texts
        self.digest = digest
        self.folders = folders
        self.bytesLimit = bytesLimit
        self.network = network
    }

    /// The reason why the bytes are not available, after `load` failed.
    var gap: ProofGap? { storedGap.withLock { $0 } }

    func load() async throws(JobStop) -> LoadedSource {
        var gap: ProofGap?
        for text in texts {
            for folder in folders {
                switch candidate(text, in: folder) {
                case .missing(let reason): gap = gap == .sourceChanged ? gap : reason
                case .found(let bytes, let source):
                    if SHA256.hash(bytes.span).hex == digest { return source }
                    gap = .sourceChanged
                }
            }
        }
        storedGap.withLock { $0 = gap ?? .sourceGone }
        throw .failure(ItemFailure(.notFound, stage: .fetch))
    }

    private func candidate(_ text: String, in folder: FilePath) -> Candidate {
        guard !SourceMask.isMasked(text) else { return .missing(.sourceMasked) }
        guard let reference = reference(text, in: folder) else { return .missing(.sourceGone) }
        do throws(IntakeError) {
            switch reference.kind {
            case .file(let path):
                let bytes = try FileIntake.read(path, bytesLimit: bytesLimit).bytes
                return .found(bytes, LoadedSource(bytes))
            case .data:
                let bytes = try DataURI.decode(text, bytesLimit: bytesLimit)
                return .found(bytes, LoadedSource(bytes))
            case .icon(let name):
                guard let icon = BuiltInIcon(rawValue: name) else { return .missing(.sourceGone) }
                return .found(Array(icon.svg.utf8), LoadedSource(.icon(icon)))
            case .remote: return cached(reference.text)
            case .standardInput: return .missing(.standardInput)
            case .given: return .missing(.sourceGone)
            }
        } catch {
            return .missing(.sourceGone)
        }
    }

    private func cached(_ address: String) -> Candidate {
        do throws(NetworkFailure) {
            guard let body = try network.loader().cachedResponse(address)?.body else {
                return .missing(.notCached)
            }
            return .found(body.bytes, LoadedSource(body.bytes, held: body))
        } catch {
            return .missing(.notCached)
        }
    }

    private func reference(_ text: String, in folder: FilePath) -> SourceReference? {
        // A source in a list cannot be a file URL or standard input; an argument can.
        if text != "-",
            let listed = try? SourceReference.listed(text, in: folder, remoteOnly: false)
        {
            return listed
        }
        return try? SourceReference.argument(text)
    }
}
