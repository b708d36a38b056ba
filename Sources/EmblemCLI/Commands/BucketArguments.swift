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
        let region =
            variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? settings["region"]
        return Buckets(
            endpoint: try endpoint(), region: try region.map(checked),
            amazon: ownKey ?? key(of: keys) ?? key(of: settings), google: googleKey)
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

    private func endpoint() throws -> String? {
        let option = network.arguments[Options.storeEndpoint]
        guard let text = option ?? variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL")
        else { return nil }
        guard let address = try? WebAddress(text), !text.contains("@"), !text.contains("?"),
            !text.contains("#")
        else {
            throw network.arguments.error(
                Options.storeEndpoint, "The endpoint is not an http or https URL.",
                remedy: "Write it as https://HOST:PORT.")
        }
        return address.text
    }

    /// A region is a part of the host name.
    private func checked(_ region: String) throws(UsageError) -> String {
        let isName = region.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x61...0x7A, 0x2D: true
            default: false
            }
        }
        guard isName, (1...63).contains(region.utf8.count) else {
            throw UsageError(
                "The region of AWS_REGION or of the profile is not a name.",
                remedy: "Write it as us-east-1.")
        }
        return region
    }
}
