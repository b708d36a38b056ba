import Flags
import Notation
import Transport

/// Reads the keys of object stores where the tools of Amazon read them: in the environment, then
/// in the files of the profile. The files are read for the first `s3:` source.
struct BucketArguments: Sendable {
    private let home: String?
    private let variable: @Sendable (String) -> String?

    init(home: String?) {
        self.home = home
        variable = { name in
            ProcessEnvironment.value(of: name).flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    func buckets() -> Buckets {
        let endpoint = Result { () throws(Fault) in try self.endpoint() }
        return Buckets(endpoint: try? endpoint.get()) {
            do {
                _ = try endpoint.get()
                return try profile()
            } catch {
                return Buckets.Profile(fault: "\(error)")
            }
        }
    }

    /// A fault in the variables or files, which may serve other tools; it matters only to runs with
    /// `s3:` sources.
    private struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private func profile() throws(Fault) -> Buckets.Profile {
        let named = variable("AWS_PROFILE")
        let name = named ?? "default"
        var key = try ownKey()
        var region = regionVariable
        var isKnown = key != nil || named == nil
        if key == nil {
            let secrets = try values(of: name, "AWS_SHARED_CREDENTIALS_FILE", "credentials")
            isKnown = isKnown || secrets != nil
            key = secrets.flatMap { self.key(of: $0) }
        }
        if key == nil || region == nil {
            let settings = try values(of: name, "AWS_CONFIG_FILE", "config", prefix: "profile")
            isKnown = isKnown || settings != nil
            key = key ?? settings.flatMap { self.key(of: $0) }
            region =
                region ?? settings?["region"].map { ($0, place(of: "config", "AWS_CONFIG_FILE")) }
        }
        guard isKnown else {
            let places = [
                place(of: "credentials", "AWS_SHARED_CREDENTIALS_FILE"),
                place(of: "config", "AWS_CONFIG_FILE"),
            ]
            throw Fault(
                description: PrintableText.escaped(
                    "The profile \(name) is not in \(places[0]) or \(places[1]).", limit: 200))
        }
        if let region { try check(region: region.value, region.place) }
        return Buckets.Profile(region: region?.value, key: key)
    }

    /// The region in the environment, with the name of the variable.
    private var regionVariable: (value: String, place: String)? {
        for name in ["AWS_REGION", "AWS_DEFAULT_REGION"] {
            if let region = variable(name) { return (region, name) }
        }
        return nil
    }

    private func ownKey() throws(Fault) -> Buckets.Key? {
        switch (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY")) {
        case (let id?, let secret?):
            return Buckets.Key(id: id, secret: secret, token: variable("AWS_SESSION_TOKEN"))
        case (nil, nil): return nil
        case (let id, _):
            let missing = id == nil ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY"
            throw Fault(description: "\(missing) is not set.")
        }
    }

    private func key(of values: [String: String]) -> Buckets.Key? {
        guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"]
        else { return nil }
        return Buckets.Key(id: id, secret: secret, token: values["aws_session_token"])
    }

    /// Returns the values of a profile; nil if the file is missing or lacks the profile.
    private func values(
        of profile: String, _ name: String, _ file: String, prefix: String = ""
    ) throws(Fault) -> [String: String]? {
        guard
            let path = variable(name)
                ?? home.map({ "\($0)/.aws/\(file)" }),
            // The usual way to turn such a file off.
            path != "/dev/null"
        else { return nil }
        let bytes: [UInt8]
        do throws(IntakeError) {
            bytes = try FileIntake.read(FilePath(path), bytesLimit: 1 << 20).bytes
        } catch {
            if case .notFound = error { return nil }
            let place = place(of: file, name)
            throw Fault(description: "\(place) cannot be read: \(error).")
        }
        return ProfileFile.values(
            of: profile, in: String(decoding: bytes, as: UTF8.self), prefix: prefix)
    }

    /// Returns the words for a file of profiles in messages.
    private func place(of file: String, _ name: String) -> String {
        variable(name) != nil ? "the file of \(name)" : "~/.aws/\(file)"
    }

    private func endpoint() throws(Fault) -> String? {
        for name in ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] {
            guard let text = variable(name) else { continue }
            guard let address = try? WebAddress(text), !text.contains("@"), !text.contains("?"),
                !text.contains("#")
            else {
                throw Fault(
                    description: "The endpoint in \(name) is not an http or https URL; write it as "
                        + "https://HOST:PORT.")
            }
            return address.text
        }
        return nil
    }

    /// Checks a region, which becomes a part of the host name.
    private func check(region: String, _ place: String) throws(Fault) {
        let isName = region.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7A, 0x2D: true
            default: false
            }
        }
        guard isName, (1...63).contains(region.utf8.count) else {
            throw Fault(
                description: "The region in \(place) is not a name; write it as us-east-1.")
        }
    }
}
