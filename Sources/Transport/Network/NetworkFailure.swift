/// Why a source on the network gave no bytes.
package struct NetworkFailure: Error, Sendable, Equatable {
    /// What went wrong, as a closed list.
    package enum Kind: Sendable, Hashable {
        case missingURL
        case badURL
        case unsupportedScheme
        case dns
        case connect
        case tls
        case timeout
        case http4xx(Int)
        case http5xx(Int)
        case rateLimited
        case badHTTP
        case redirect
        case blockedAddress
        case tooLarge
        case truncated
        case canceled
        case offline
        case hostSkipped
        /// The answer asks to be left out of collections.
        case optedOut
    }

    package let kind: Kind
    /// The particulars, for journals and messages; never holds credentials.
    package let detail: String
    /// Another attempt may go better.
    package let isPassing: Bool

    package init(_ kind: Kind, _ detail: String = "", isPassing: Bool? = nil) {
        self.kind = kind
        self.detail = detail
        self.isPassing = isPassing ?? kind.isUsuallyPassing
    }

    /// There are more bytes than somebody wants of one source.
    init(bodyPasses limit: Int) { self.init(.tooLarge, "The body has more than \(limit) bytes.") }
}

extension NetworkFailure.Kind {
    var isUsuallyPassing: Bool {
        switch self {
        case .connect, .timeout, .http5xx, .rateLimited, .truncated, .offline, .hostSkipped: true
        case .http4xx(let status): status == 408
        default: false
        }
    }

    /// Enough of these in a row say that the host is down.
    var countsAgainstHost: Bool {
        switch self {
        case .dns, .connect, .tls, .timeout, .http5xx: true
        default: false
        }
    }

    /// The host answered below 500, so it is up.
    var clearsHost: Bool {
        switch self {
        case .http4xx, .rateLimited, .redirect, .tooLarge, .truncated: true
        default: false
        }
    }
}
