import Batch
import Engine
import Notation
import Transport

/// Loads lists from URLs, with the rules of the network options for images.
struct ListDownload {
    /// The time limit of a list with all retries; lists are larger than images.
    private static let timeLimit = Duration.seconds(600)

    let settings: NetworkSettings
    /// An existing folder for scratch files.
    let scratch: FilePath

    /// Loads each list that is a URL, in order.
    func fetch(_ lists: [String]) async throws -> [FetchedList] {
        let urls = lists.filter(FetchedList.isURL)
        guard !urls.isEmpty else { return [] }
        var settings = settings
        settings.bodyLimit = FetchedList.bytesLimit
        settings.itemTimeout = max(settings.itemTimeout, Self.timeLimit)
        let network = LazyNetworkLoader(settings)
        defer { network.close() }
        var fetched: [FetchedList] = []
        for url in urls {
            let bytes: [UInt8]
            do throws(NetworkFailure) {
                let outcome = try await network.loader().load(NetworkRequest(url: url))
                bytes = try outcome.result.get().body.bytes
            } catch {
                throw failure(of: FetchedList.name(of: url), error)
            }
            fetched.append(try FetchedList(url, bytes.span, scratch: scratch))
        }
        return fetched
    }

    private func failure(of name: String, _ error: NetworkFailure) -> CommandFailure {
        let cause = ItemFailure(error)
        let code: Int32 = cause.isRetryable ? 75 : error.kind == .tooLarge ? 65 : 66
        var reason = cause.explanation
        if reason.last == "." { reason.removeLast() }
        if let remedy = Self.remedy(for: error, cause) { reason += "; \(remedy)" }
        return CommandFailure(
            code,
            PrintableText.escaped(
                "the list \(SourceMask().shown(name)) cannot be loaded: \(reason)"))
    }

    /// Returns what to do next; nil if the failure itself says it.
    private static func remedy(for error: NetworkFailure, _ cause: ItemFailure) -> String? {
        switch error.kind {
        case .blockedAddress, .badURL: nil
        case .http4xx where cause.explanation != cause.message: nil
        case .http4xx(401): "sign in with --header-file or --netrc"
        default: cause.isRetryable ? "try again later" : "check the URL and the options"
        }
    }
}
