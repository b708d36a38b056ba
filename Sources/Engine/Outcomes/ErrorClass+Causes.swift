import Codecs
import Transport

/// The class of everything that the rooms below may throw, in one place.
extension ErrorClass {
    package init(_ error: IntakeError) {
        self =
            switch error {
            case .missingURL: .missingURL
            case .badURL: .badURL
            case .unsupportedScheme: .unsupportedScheme
            case .notFound, .noIcon: .notFound
            case .unreadable, .noDescriptors: .unreadable
            case .tooLarge: .tooLarge
            }
    }

    package init(_ kind: NetworkFailure.Kind) {
        self =
            switch kind {
            case .missingURL: .missingURL
            case .badURL: .badURL
            case .unsupportedScheme: .unsupportedScheme
            case .dns: .dns
            case .connect: .connect
            case .tls: .tls
            case .timeout: .timeout
            case .http4xx: .http4xx
            case .http5xx: .http5xx
            case .rateLimited: .rateLimited
            case .badHTTP: .badHTTP
            case .redirect: .redirect
            case .blockedAddress: .blockedAddress
            case .tooLarge: .tooLarge
            case .truncated: .truncated
            case .canceled: .canceled
            case .offline: .offline
            case .hostSkipped: .hostSkipped
            case .optedOut: .optedOut
            }
    }

    package init(_ error: DecodeError) {
        self =
            switch error {
            case .notImage: .notImage
            case .unsupported: .unsupported
            case .truncated: .truncated
            case .corrupt: .corrupt
            case .limitPixels: .limitPixels
            case .limitDecode: .limitDecode
            }
    }
}
