import Notation

/// The search for the icon of a site: its page, perhaps its web manifest, then icons.
///
/// Every request obeys the rules of all URLs, such as the address rule, limits and retries. The
/// page is released before the next request, because no transfer starts while callers hold too many
/// bytes.
struct SiteVisit: ~Copyable {
    /// The limit of URLs that are requested; redirects and retries are not counted.
    static let requestsLimit = 4
    /// The bytes that are read of a page.
    static let pageBytes = 512 << 10
    /// The bytes that are read of a web manifest.
    static let manifestBytes = 256 << 10

    private let loader: NetworkLoader
    private let request: SiteRequest
    private(set) var loads: [NetworkOutcome] = []
    /// The failure that decides the result: one that may pass, so that a later run tries again.
    private var failure: NetworkFailure?

    init(_ loader: NetworkLoader, _ request: SiteRequest) {
        self.loader = loader
        self.request = request
    }

    mutating func run() async -> Result<NetworkResponse, NetworkFailure> {
        let start: WebAddress
        do throws(NetworkFailure) {
            start = try WebAddress(request.page.url)
        } catch {
            return .failure(error)
        }
        var page = start
        var found = SiteIcons()
        switch await load(request.page.url, of: start, bytesWanted: Self.pageBytes) {
        case .success(let response):
            page = (try? WebAddress(response.finalURL)) ?? start
            found = SiteIcons(html: response.body.bytes)
        case .failure(let failure):
            guard failure.isOfPage else { return .failure(failure) }
        }
        let base = found.base.flatMap { try? page.following($0) } ?? page
        var icons = ranked(found.icons.compactMap { $0.resolved(at: base) })
        if !(icons.first?.isLargeEnough(for: request.pixels) ?? false),
            let manifest = found.manifest.flatMap({ base.iconURL($0) }),
            case .success(let response) = await load(
                manifest, of: start, bytesWanted: Self.manifestBytes),
            let address = try? WebAddress(response.finalURL)
        {
            let more = SiteIcons(manifest: response.body.bytes).icons
            icons = ranked(icons + more.compactMap { $0.resolved(at: address) })
        }
        if let usual = page.iconURL("/favicon.ico") { icons.append(SiteIcon(usual, .icon)) }
        return await firstPicture(icons, of: start)
    }

    private func ranked(_ icons: [SiteIcon]) -> [SiteIcon] {
        SiteIcon.ranked(icons, atLeast: request.pixels, isDark: request.isDark)
    }

    /// Loads the icons in order until one is a picture.
    private mutating func firstPicture(
        _ icons: [SiteIcon], of start: WebAddress
    ) async -> Result<NetworkResponse, NetworkFailure> {
        var tried: Set<String> = []
        for icon in icons where tried.insert(icon.reference).inserted {
            if let bytes = icon.embeddedBytes {
                guard request.isPicture(bytes) else { continue }
                return .success(
                    NetworkResponse(
                        body: NetworkBody(bytes), status: 200, finalURL: start.text,
                        headers: ResponseHeaders(), origin: .network))
            }
            guard loads.count < Self.requestsLimit, failure?.kind != .canceled else { break }
            if case .success(let response) = await load(icon.reference, of: start),
                request.isPicture(response.body.bytes)
            {
                return .success(response)
            }
        }
        return .failure(
            failure
                ?? NetworkFailure(
                    .noIcon, "The page names no icon that can be loaded, and has no /favicon.ico."))
    }

    private mutating func load(
        _ url: String, of start: WebAddress, bytesWanted: Int? = nil
    ) async -> Result<NetworkResponse, NetworkFailure> {
        var request = self.request.page
        request.url = url
        request.bytesWanted = bytesWanted
        request.isForeign = (try? WebAddress(url)).map { !start.sharesHeaders(with: $0) } ?? true
        if let limit = request.timeLeft {
            let used = NetworkTimings(of: loads).active
            request.timeLeft = max(.zero, limit - .nanoseconds(used))
        }
        let outcome = await loader.load(request)
        loads.append(outcome.withoutBody)
        if case .failure(let failure) = outcome.result {
            let decides = failure.kind == .canceled || failure.isPassing && self.failure == nil
            if decides { self.failure = failure }
        }
        return outcome.result
    }
}

/// A request for the icon of a site.
package struct SiteRequest: Sendable {
    /// The request for the page.
    package let page: NetworkRequest
    /// The side of the largest output in pixels.
    package let pixels: Int
    /// Whether an icon for dark screens is preferred.
    package let isDark: Bool
    /// Whether bytes are an image. A server may send a page instead of a missing icon.
    package let isPicture: @Sendable ([UInt8]) -> Bool

    package init(
        page: NetworkRequest, pixels: Int, isDark: Bool,
        isPicture: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        self.page = page
        self.pixels = pixels
        self.isDark = isDark
        self.isPicture = isPicture
    }
}

extension NetworkLoader {
    /// Loads the icon of a site.
    ///
    /// - Returns: The response with the icon, and the outcome of each load without its body.
    package func loadIcon(
        _ request: SiteRequest
    ) async -> (result: Result<NetworkResponse, NetworkFailure>, loads: [NetworkOutcome]) {
        var visit = SiteVisit(self, request)
        let result = await visit.run()
        return (result, visit.loads)
    }
}

extension NetworkFailure {
    /// Whether only the page failed, so that the server may still have an icon.
    fileprivate var isOfPage: Bool {
        switch kind {
        case .http4xx, .http5xx, .rateLimited, .badHTTP, .redirect, .tooLarge, .truncated: true
        default: false
        }
    }
}

extension WebAddress {
    /// Returns the URL that a reference in a page leads to; nil if it is not allowed.
    ///
    /// A page is followed like a redirect: not to another scheme, and without passwords. An `http:`
    /// icon of an `https:` page is loaded with `https:`, as in browsers.
    fileprivate func iconURL(_ reference: String) -> String? {
        let isPlain = reference.lowercased().hasPrefix("http:")
        let secured = isSecure && isPlain ? "https:" + reference.dropFirst(5) : reference
        return try? following(secured).text
    }
}

extension SiteIcon {
    /// Returns the icon with an absolute URL; nil if its URL is not allowed.
    fileprivate func resolved(at base: WebAddress) -> SiteIcon? {
        if URLGrammar.scheme(of: reference.utf8) == "data" { return self }
        guard let url = base.iconURL(reference) else { return nil }
        var icon = self
        icon.reference = url
        return icon
    }

    /// The bytes of a `data:` URI; nil for another URL.
    fileprivate var embeddedBytes: [UInt8]? {
        guard URLGrammar.scheme(of: reference.utf8) == "data" else { return nil }
        return (try? DataURI.decode(reference, bytesLimit: 64 << 10)) ?? []
    }
}

extension NetworkOutcome {
    /// The outcome for statistics, without bytes in memory.
    fileprivate var withoutBody: NetworkOutcome {
        guard case .success(let response) = result else { return self }
        return with(
            .success(
                NetworkResponse(
                    body: NetworkBody([]), status: response.status, finalURL: response.finalURL,
                    headers: response.headers, origin: response.origin)))
    }
}
