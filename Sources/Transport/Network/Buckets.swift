import Notation
import Synchronization

/// The object store behind `s3:` sources, with the key that signs requests to it.
///
/// The key is sent to the endpoint of the store only, and never after a redirect.
package final class Buckets: Sendable {
    /// A key pair, with the token of a temporary one.
    package struct Key: Sendable, Hashable {
        package let id: String
        package let secret: String
        package let token: String?

        /// Returns nil if a part cannot stand in a header line.
        package init?(id: String, secret: String, token: String? = nil) {
            let isClean = [id, secret, token ?? ""].allSatisfy { !URLGrammar.hasControl($0) }
            guard isClean, !id.isEmpty, !secret.isEmpty else { return nil }
            self.id = id
            self.secret = secret
            self.token = token.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    package struct Store: Sendable {
        /// The URL before the bucket, without a slash at its end.
        let endpoint: String
        let region: String
        /// The key for signatures; nil for requests without one, which public buckets accept.
        let key: Key?

        /// The scope of a signature, for curl.
        var scope: String { "aws:amz:\(region):s3" }
    }

    /// The region and key of `s3:` sources.
    package struct Profile: Sendable {
        /// The region; nil for `us-east-1`.
        var region: String?
        var key: Key?
        /// The reason why every `s3:` source fails; nil if they can be loaded.
        var fault: String?

        package init(region: String? = nil, key: Key? = nil, fault: String? = nil) {
            self.region = region
            self.key = key
            self.fault = fault
        }
    }

    private let endpoint: String?
    private let readProfile: @Sendable () -> Profile
    private let knownProfile = Mutex<Profile?>(nil)

    /// - Parameters:
    ///   - endpoint: The URL of another store than that of Amazon.
    ///   - profile: Reads the profile. It is called once, for the first `s3:` source, because it may
    ///     read files.
    package init(
        endpoint: String? = nil, profile: @escaping @Sendable () -> Profile = { Profile() }
    ) {
        self.endpoint = endpoint
        readProfile = profile
    }

    /// Returns the store of a source; nil for a source of another kind.
    private func store(of text: String) throws(NetworkFailure) -> Store? {
        guard URLGrammar.scheme(of: text.utf8) == "s3" else { return nil }
        let profile = knownProfile.withLock { known in
            let profile = known ?? readProfile()
            known = profile
            return profile
        }
        if let fault = profile.fault { throw NetworkFailure(.badURL, fault) }
        let region = profile.region ?? "us-east-1"
        var url = endpoint ?? "https://s3.\(region).amazonaws.com"
        while url.last == "/" { url.removeLast() }
        return Store(endpoint: url, region: region, key: profile.key)
    }

    /// Adds the probable reason to the failure of a source that its store refused.
    func explained(_ failure: NetworkFailure, of text: String) -> NetworkFailure {
        guard case .http4xx(let status) = failure.kind, status == 401 || status == 403,
            let store = try? store(of: text)
        else { return failure }
        let reason =
            store.key == nil
            ? "sent without a key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
            : "the store refused the key or the key has no access"
        return NetworkFailure(failure.kind, "\(StatusText.of(status)): \(reason)")
    }

    /// Returns the signed address of a source; nil for a source of another kind.
    func address(of text: String) throws(NetworkFailure) -> WebAddress? {
        guard let store = try store(of: text) else { return nil }
        let parts = text.dropFirst(5).split(separator: "/", maxSplits: 1)
        if let fault = Self.fault(in: text, parts) { throw NetworkFailure(.badURL, fault) }
        let key = parts[1].split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentCoding.encoded(String($0)) }.joined(separator: "/")
        return try WebAddress("\(store.endpoint)/\(parts[0])/\(key)").signed(for: store)
    }

    /// Returns what is wrong with the bucket and key in the parts of a source; nil if nothing is.
    private static func fault(in text: String, _ parts: [Substring]) -> String? {
        guard text.dropFirst(2).hasPrefix("://"), text.dropFirst(5).first != "/",
            let bucket = parts.first
        else { return "The source names no bucket, as in s3://bucket/logos/acme.png." }
        guard isBucket(bucket) else {
            // Other characters may be those of a password.
            let shown = hasBucketCharacters(bucket) ? bucket.prefix(80) : "The text before the key"
            return "\(shown) is not a bucket name (3 to 63 letters, digits, dots and hyphens)."
        }
        guard parts.count == 2 else {
            return "The source names no key, as in s3://\(bucket)/logos/acme.png."
        }
        return isKey(parts[1])
            ? nil : "The key ends with a slash, has a part . or .. or more than 1024 bytes."
    }

    /// Whether a text is a bucket name, so that it changes neither the host nor the path. Old names
    /// may be longer than new ones.
    private static func isBucket(_ text: Substring) -> Bool {
        (3...222).contains(text.utf8.count) && text.first != "." && !text.contains("..")
            && hasBucketCharacters(text)
    }

    private static func hasBucketCharacters(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
    }

    /// Whether no part of a key would change the path of a URL.
    private static func isKey(_ text: Substring) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= 1_024 && parts.last != ""
            && !parts.contains(".") && !parts.contains("..")
    }
}

/// The files of profiles that the tools of Amazon share, in the form of INI.
package enum ProfileFile {
    /// Returns the values of a profile by their names in lower case; nil without the profile.
    ///
    /// - Parameter prefix: The word before the names of profiles other than `default`, which the
    ///   file of settings has.
    package static func values(
        of profile: String, in text: String, prefix: String = ""
    ) -> [String: String]? {
        let head = profile == "default" || prefix.isEmpty ? profile : "\(prefix) \(profile)"
        var values: [String: String] = [:]
        var isInside = false
        var isFound = false
        for line in text.split(whereSeparator: \.isNewline) {
            let bare = SourceReference.withoutBlanks(String(line))
            if bare.first == "[" {
                let name = bare.dropFirst().prefix { $0 != "]" }
                let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                isInside = words == head
                isFound = isFound || isInside
                continue
            }
            // An indented line belongs to the value before it.
            guard isInside, bare.first != "#", bare.first != ";", line.first?.isWhitespace != true,
                let equals = bare.firstIndex(of: "=")
            else { continue }
            let name = SourceReference.withoutBlanks(String(bare[..<equals])).lowercased()
            let value = SourceReference.withoutBlanks(
                String(bare[bare.index(after: equals)...]))
            if values[name] == nil { values[name] = String(value) }
        }
        return isFound ? values : nil
    }
}
