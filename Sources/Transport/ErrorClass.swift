/// The reason why an item failed. Manifests, filters and scripts rely on these words.
package enum ErrorClass: String, CaseIterable, Sendable, Hashable {
    case missingURL = "missing_url"
    case badURL = "bad_url"
    case badRow = "bad_row"
    case unsupportedScheme = "unsupported_scheme"
    case notFound = "not_found"
    case unreadable
    case dns
    case connect
    case tls
    case timeout
    case http4xx = "http_4xx"
    case http5xx = "http_5xx"
    case rateLimited = "rate_limited"
    case badHTTP = "bad_http"
    case redirect
    case blockedAddress = "blocked_address"
    case tooLarge = "too_large"
    case limitPixels = "limit_pixels"
    case limitDecode = "limit_decode"
    case notImage = "not_image"
    case unsupported
    case truncated
    case corrupt
    case crashed
    case encode
    case write
    case canceled
    case offline
    case hostSkipped = "host_skipped"
    case busy
    case unavailable

    /// The lifetime of a failure, from which resumed runs and the reuse of earlier results follow.
    package enum Persistence: Sendable {
        /// Equal bytes fail again, so the failure is reused without decoding.
        case withBytes
        /// A retry fails again until the row, the source or an option changes.
        case settled
        /// A retry may succeed in a later run, but not in this one.
        case untilNextRun
        /// A retry may succeed.
        case passing
    }

    package var persistence: Persistence {
        switch self {
        case .notImage, .unsupported, .truncated, .corrupt, .limitPixels: .withBytes
        case .missingURL, .badURL, .badRow, .unsupportedScheme, .notFound, .http4xx, .badHTTP,
            .redirect, .blockedAddress, .tooLarge, .crashed:
            .settled
        case .tls, .limitDecode, .unreadable, .encode, .write: .untilNextRun
        case .dns, .connect, .timeout, .http5xx, .rateLimited, .hostSkipped, .canceled, .offline,
            .busy, .unavailable:
            .passing
        }
    }

    /// Whether a later attempt at the same source may succeed.
    package var isRetryable: Bool { persistence == .passing }

    /// Whether the network or the server failed; such a failure says nothing about the picture.
    package var isOfNetwork: Bool {
        switch self {
        case .dns, .connect, .tls, .timeout, .http5xx, .rateLimited, .hostSkipped, .offline: true
        default: false
        }
    }

    /// The classes that records can have; the others belong to the library.
    package static let ofRecords = allCases.filter { !$0.isOfBackend }

    /// Whether the image could not be drawn because no renderer or worker was available.
    package var isOfBackend: Bool { self == .busy || self == .unavailable }

    static let privateRemedy = "use --allow-private for lists that you trust."

    /// The message in the manifest. It is fixed, so that manifests can be compared.
    package var message: String {
        switch self {
        case .missingURL: "The row has no source."
        case .badRow: "The row cannot be used."
        case .badURL: "The source is neither a valid URL nor a valid path."
        case .unsupportedScheme: "The scheme of the source is not supported."
        case .notFound: "The file does not exist."
        case .unreadable:
            "The source cannot be read: it is not a regular file, or permission is missing."
        case .dns: "The host has no address."
        case .connect: "The host could not be reached."
        case .tls: "The secure connection could not be made."
        case .timeout: "The deadline passed."
        case .http4xx: "The server refused the request."
        case .http5xx: "The server failed."
        case .rateLimited: "The server asked for fewer requests."
        case .badHTTP: "The response is not valid HTTP."
        case .redirect: "The redirects do not lead to a picture."
        case .blockedAddress: "The address is not public; \(Self.privateRemedy)"
        case .tooLarge: "The source has more bytes than --max-bytes allows."
        case .limitPixels:
            "The picture declares more pixels than --max-pixels allows; a progressive JPEG may "
                + "declare half as many."
        case .limitDecode: "Decoding needs more memory or work than is allowed."
        case .notImage: "The bytes are not a known image format."
        case .unsupported: "The format is known, but this file cannot be decoded."
        case .truncated: "The data ends before the last pixel."
        case .corrupt: "The picture is damaged."
        case .crashed: "The decoder crashed on this picture."
        case .encode: "The emblem could not be encoded."
        case .write: "The emblem could not be written."
        case .canceled: "The run was stopped before this item ended."
        case .offline: "The source is not in the cache, and the run is offline."
        case .busy: "Too many pictures waited to be drawn."
        case .unavailable: "No worker process can be started."
        case .hostSkipped: "The host failed too often; its remaining items were not tried."
        }
    }
}

extension ErrorClass {
    /// The advice for the user, as a sentence.
    package var remedy: String {
        switch self {
        case .missingURL: "Fill the cell, or remove the row."
        case .badURL: "Correct the row."
        case .badRow: "Correct the value that the message names."
        case .unsupportedScheme: "Use an http, https, s3 or data URL, or a path."
        case .notFound: "Correct the path; it is relative to the folder of the list."
        case .unreadable: "Change the permissions of the file."
        case .dns: "Check the host name."
        case .connect, .http5xx, .busy: "Run again later."
        case .tls: "Check the certificate of the server, or set SSL_CERT_FILE."
        case .timeout: "Run again later, or raise --timeout or --item-timeout."
        case .http4xx: "Correct the URL, or sign in with --header."
        case .rateLimited: "Run again with a lower --rate or --per-host."
        case .badHTTP: "Report it to the owner of the server."
        case .redirect: "Write the URL of the picture itself."
        case .blockedAddress: "Use --allow-private for lists that you trust."
        case .tooLarge: "Raise --max-bytes, or use a smaller picture."
        case .limitPixels: "Raise --max-pixels, or use a smaller picture."
        case .limitDecode: "Raise --memory, or use a smaller picture."
        case .notImage: "Look at the source; it is often an HTML page."
        case .unsupported: "Convert the picture to PNG, JPEG, WebP or SVG."
        case .truncated: "Get the whole picture again."
        case .corrupt: "Replace the picture."
        case .crashed: "Report the picture as a bug, and replace it."
        case .encode: "Report it as a bug."
        case .write: "Make room on the disk, or move the file in the way."
        case .canceled: "Run again; the run continues."
        case .offline: "Run once without --offline."
        case .unavailable: "Check the limits of the system, then try again."
        case .hostSkipped: "Run again later with --only-failures."
        }
    }
}
