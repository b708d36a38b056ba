import Notation
import Synchronization

/// The object store behind `s3:` sources, with the key that signs requests to it.
///
/// Key, region and endpoint are read where the tools of Amazon read them: in the environment, then
/// in the files of the profile. They are read once, for the first `s3:` source. The key is sent to
/// the endpoint of the store only, and never after a redirect.
package final class Buckets: Sendable {
    private struct Store {
        /// The URL before the bucket, without a slash at its end.
        let endpoint: String
        let region: String
        /// The key for signatures; nil for requests without one, which public buckets accept.
        let key: Key?
    }

    private struct Key {
        let id: String
        let secret: String
        let token: String?

        /// Returns nil if a part is missing or cannot stand in a header line.
        init?(id: String?, secret: String?, token: String?) {
            guard let id, let secret, !id.isEmpty, !secret.isEmpty,
                ![id, secret, token ?? ""].contains(where: URLGrammar.hasControl)
            else { return nil }
            self.id = id
            self.secret = secret
            self.token = token == "" ? nil : token
        }
    }

    /// A file of profiles, in the form of INI.
    private struct ProfileFile {
        let name: String
        /// The environment variable with its path.
        let variable: String
        /// The word before the names of profiles other than `default`.
        var prefix = ""

        static let credentials = ProfileFile(
            name: "credentials", variable: "AWS_SHARED_CREDENTIALS_FILE")
        static let config = ProfileFile(
            name: "config", variable: "AWS_CONFIG_FILE", prefix: "profile ")
    }

    private let variable: @Sendable (String) -> String?
    private let known = Mutex<Result<Store, ItemFailure>?>(nil)

    /// - Parameter variable: Returns the value of an environment variable. An empty value counts as
    ///   missing.
    package init(variable: @escaping @Sendable (String) -> String?) {
        self.variable = { name in variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// Returns the signed address of a source; nil for a source of another kind.
    func address(of text: String) throws(ItemFailure) -> WebAddress? {
        guard URLGrammar.scheme(of: text.utf8) == "s3" else { return nil }
        let store = try store()
        let parts = text.dropFirst(5).split(separator: "/", maxSplits: 1)
        if let fault = Self.fault(in: text, parts) { throw ItemFailure(.badURL, fault) }
        let key = parts[1].split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentCoding.encoded(String($0)) }.joined(separator: "/")
        var address = try WebAddress("\(store.endpoint)/\(parts[0])/\(key)")
        address.credentials = store.key.map {
            WebAddress.Credentials(
                user: $0.id, password: $0.secret, scope: "aws:amz:\(store.region):s3",
                token: $0.token)
        }
        return address
    }

    /// Adds the probable reason to the failure of a source that its store refused.
    func explained(_ failure: ItemFailure, of text: String) -> ItemFailure {
        guard let status = failure.status, status == 401 || status == 403,
            URLGrammar.scheme(of: text.utf8) == "s3", let store = try? store()
        else { return failure }
        let reason =
            store.key == nil
            ? "sent without a key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
            : "the store refused the key or the key has no access"
        return ItemFailure(
            failure.errorClass, "\(ItemFailure.text(ofStatus: status)): \(reason)", status: status,
            isRetryable: failure.isRetryable)
    }

    /// Returns what is wrong with the bucket and key in the parts of a source; nil if nothing is.
    private static func fault(in text: String, _ parts: [Substring]) -> String? {
        guard text.dropFirst(2).hasPrefix("://"), text.dropFirst(5).first != "/",
            let bucket = parts.first
        else { return "The source names no bucket, as in s3://bucket/logos/acme.png." }
        let hasBucketCharacters = bucket.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        // A name that changes neither the host nor the path. Old names may be longer than new ones.
        guard (3...222).contains(bucket.utf8.count), bucket.first != ".", !bucket.contains(".."),
            hasBucketCharacters
        else {
            // Other characters may be those of a password.
            let shown = hasBucketCharacters ? bucket.prefix(80) : "The text before the key"
            return "\(shown) is not a bucket name (3 to 63 letters, digits, dots and hyphens)."
        }
        guard parts.count == 2 else {
            return "The source names no key, as in s3://\(bucket)/logos/acme.png."
        }
        let names = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        let isKey =
            parts[1].utf8.count <= 1_024 && names.last != "" && !names.contains(".")
            && !names.contains("..")
        return isKey
            ? nil : "The key ends with a slash, has a part . or .. or more than 1024 bytes."
    }

    // MARK: Settings

    private func store() throws(ItemFailure) -> Store {
        try known.withLock { known in
            if let known { return known }
            let read = Result { () throws(ItemFailure) in try readStore() }
            known = read
            return read
        }.get()
    }

    private func readStore() throws(ItemFailure) -> Store {
        let endpoint = try endpoint()
        let profile = variable("AWS_PROFILE")
        var key = try keyVariables()
        var region = ["AWS_REGION", "AWS_DEFAULT_REGION"].lazy.compactMap { [variable] name in
            variable(name).map { (name: $0, place: name) }
        }.first
        var isKnown = key != nil || profile == nil
        if key == nil, let values = try values(of: profile, in: .credentials) {
            isKnown = true
            key = Self.key(of: values)
        }
        if key == nil || region == nil, let values = try values(of: profile, in: .config) {
            isKnown = true
            key = key ?? Self.key(of: values)
            region = region ?? values["region"].map { ($0, place(of: .config)) }
        }
        guard isKnown else {
            throw ItemFailure(
                .badURL,
                PrintableText.escaped(
                    "The profile \(profile ?? "default") is not in \(place(of: .credentials)) or "
                        + "\(place(of: .config)).", limit: 200))
        }
        // A region is a part of the host name.
        let name = region?.name ?? "us-east-1"
        let isName = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
        }
        guard isName, (1...63).contains(name.utf8.count) else {
            throw ItemFailure(
                .badURL,
                "The region in \(region?.place ?? "") is not a name; write it as us-east-1.")
        }
        return Store(
            endpoint: endpoint ?? "https://s3.\(name).amazonaws.com", region: name, key: key)
    }

    private func endpoint() throws(ItemFailure) -> String? {
        for name in ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] {
            guard let text = variable(name) else { continue }
            guard let address = try? WebAddress(text), !text.contains(where: { "@?#".contains($0) })
            else {
                throw ItemFailure(
                    .badURL,
                    "The endpoint in \(name) is not an http or https URL; write it as "
                        + "https://HOST:PORT.")
            }
            return String(address.text.reversed().drop { $0 == "/" }.reversed())
        }
        return nil
    }

    private func keyVariables() throws(ItemFailure) -> Key? {
        let names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
        let missing = names.filter { variable($0) == nil }
        guard let first = missing.first else {
            return Key(
                id: variable(names[0]), secret: variable(names[1]),
                token: variable("AWS_SESSION_TOKEN"))
        }
        guard missing.count == 2 else { throw ItemFailure(.badURL, "\(first) is not set.") }
        return nil
    }

    private static func key(of values: [String: String]) -> Key? {
        Key(
            id: values["aws_access_key_id"], secret: values["aws_secret_access_key"],
            token: values["aws_session_token"])
    }

    /// Returns the words for a file of profiles in messages.
    private func place(of file: ProfileFile) -> String {
        variable(file.variable) != nil ? "the file of \(file.variable)" : "~/.aws/\(file.name)"
    }

    /// Returns the values of a profile by their names in lower case; nil if the file is missing or
    /// lacks the profile.
    private func values(
        of profile: String?, in file: ProfileFile
    ) throws(ItemFailure) -> [String: String]? {
        let path = variable(file.variable) ?? variable("HOME").map { "\($0)/.aws/\(file.name)" }
        // The usual way to turn such a file off.
        guard let path, path != "/dev/null" else { return nil }
        let bytes: [UInt8]
        do throws(ItemFailure) {
            bytes = try FileIntake.read(FilePath(path), bytesLimit: 1 << 20).bytes
        } catch  where error.errorClass == .notFound {
            return nil
        } catch {
            throw ItemFailure(.badURL, "\(place(of: file)) cannot be read: \(error).")
        }
        let head = profile.map { $0 == "default" ? $0 : file.prefix + $0 } ?? "default"
        var values: [String: String]?
        var isInside = false
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let bare = line.withoutBlanks
            if bare.first == "[" {
                let name = bare.dropFirst().prefix { $0 != "]" }
                isInside = name.split(whereSeparator: \.isWhitespace).joined(separator: " ") == head
                if isInside { values = values ?? [:] }
                continue
            }
            // An indented line belongs to the value before it.
            guard isInside, bare.first != "#", bare.first != ";", line.first?.isWhitespace != true,
                let equals = bare.firstIndex(of: "=")
            else { continue }
            let name = bare[..<equals].withoutBlanks.lowercased()
            let value = bare[bare.index(after: equals)...].withoutBlanks
            if values?[name] == nil { values?[name] = value }
        }
        return values
    }
}
