import Flags
import Notation
import Transport

/// Reads the keys of object stores where the tools of the stores read them: in the environment, then
/// in the files of the profile.
struct BucketArguments {
    private let network: NetworkArguments
    private let variable: (String) -> String?

    init(_ network: NetworkArguments) {
        self.network = network
        variable = { name in
            ProcessEnvironment.value(of: name).flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    func buckets() throws -> Buckets {
        let profile = variable("AWS_PROFILE") ?? "default"
        let keys = values(of: profile, "AWS_SHARED_CREDENTIALS_FILE", "credentials")
        let settings = values(of: profile, "AWS_CONFIG_FILE", "config", prefix: "profile")
        let endpoint = try endpoint()
        let region = region(ofProfile: settings["region"])
        return Buckets(
            endpoint: endpoint.value, region: region.value,
            amazon: ownKey ?? key(of: keys) ?? key(of: settings), google: googleKey,
            fault: endpoint.fault ?? region.fault)
    }

    private var ownKey: Buckets.Key? {
        guard let id = variable("AWS_ACCESS_KEY_ID"),
            let secret = variable("AWS_SECRET_ACCESS_KEY")
        else { return nil }
        return Buckets.Key(id: id, secret: secret, token: variable("AWS_SESSION_TOKEN"))
    }

    private var googleKey: Buckets.Key? {
        guard let id = variable("GS_ACCESS_KEY_ID"), let secret = variable("GS_SECRET_ACCESS_KEY")
        else { return nil }
        return Buckets.Key(id: id, secret: secret)
    }

    private func key(of values: [String: String]) -> Buckets.Key? {
        guard let id = values["aws_access_key_id"], let secret = values["aws_secret_access_key"]
        else { return nil }
        return Buckets.Key(id: id, secret: secret, token: values["aws_session_token"])
    }

    /// Returns the values of a profile; empty if the file is missing, since keys are optional.
    private func values(
        of profile: String, _ name: String, _ file: String, prefix: String = ""
    ) -> [String: String] {
        guard
            let path = variable(name)
                ?? network.environment["HOME"].map({ "\($0)/.aws/\(file)" }),
            let bytes = try? FileIntake.read(FilePath(path), bytesLimit: 1 << 20).bytes
        else { return [:] }
        return ProfileFile.values(
            of: profile, in: String(decoding: bytes, as: UTF8.self), prefix: prefix)
    }

    /// A value of the environment, which may serve other tools; a fault in it matters only to runs
    /// with `s3:` sources.
    private typealias Checked = (value: String?, fault: String?)

    private func endpoint() throws -> Checked {
        if let option = network.arguments[Options.storeEndpoint] {
            guard let endpoint = Self.endpoint(option) else {
                throw network.arguments.error(
                    Options.storeEndpoint, "The endpoint is not an http or https URL.",
                    remedy: "Write it as https://HOST:PORT.")
            }
            return (endpoint, nil)
        }
        for name in ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] {
            guard let text = variable(name) else { continue }
            let endpoint = Self.endpoint(text)
            let fault =
                "The endpoint in \(name) is not an http or https URL; write it as https://HOST:PORT."
            return (endpoint, endpoint == nil ? fault : nil)
        }
        return (nil, nil)
    }

    private static func endpoint(_ text: String) -> String? {
        guard let address = try? WebAddress(text), !text.contains("@"), !text.contains("?"),
            !text.contains("#")
        else { return nil }
        return address.text
    }

    private func region(ofProfile value: String?) -> Checked {
        for name in ["AWS_REGION", "AWS_DEFAULT_REGION"] {
            if let region = variable(name) { return Self.checked(region, name) }
        }
        guard let value else { return (nil, nil) }
        let hasOwnFile = variable("AWS_CONFIG_FILE") != nil
        return Self.checked(value, hasOwnFile ? "the file of AWS_CONFIG_FILE" : "~/.aws/config")
    }

    /// A region is a part of the host name.
    private static func checked(_ region: String, _ place: String) -> Checked {
        let isName = region.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7A, 0x2D: true
            default: false
            }
        }
        guard isName, (1...63).contains(region.utf8.count) else {
            return (nil, "The region in \(place) is not a name; write it as us-east-1.")
        }
        return (region, nil)
    }
}
