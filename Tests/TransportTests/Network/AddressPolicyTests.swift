import Testing
import Transport

@Suite("Addresses that the settings allow")
struct AddressPolicyTests {
    private static func policy(
        _ allowed: [String], allowsPrivate: Bool = false
    ) throws -> NetworkSettings {
        var settings = NetworkSettings()
        settings.allowPrivate = allowsPrivate
        settings.refusesLinkLocal = true
        settings.allowedPrivate = try allowed.map { try #require(PrivateAllowance($0), "\($0)") }
        return settings
    }

    /// Whether a URL passes whose host resolves to `address`.
    private static func allows(
        _ policy: NetworkSettings, _ url: String, at address: [UInt8]
    ) throws -> Bool {
        let url = try WebAddress(url)
        do {
            try policy.check(url)
        } catch {
            return false
        }
        return policy.allows(address.span, port: url.port, isNamed: policy.names(url))
    }

    private static let inside: [UInt8] = [10, 1, 2, 3]
    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF, 10, 1, 2, 3]
    private static let linkLocal: [[UInt8]] = [
        [169, 254, 0, 9], [100, 100, 100, 200],
        Array(repeating: 0, count: 10) + [0xFF, 0xFF, 169, 254, 1, 1],
        [0xFE, 0x80] + Array(repeating: 0, count: 13) + [1],
        [0xFE, 0xBF] + Array(repeating: 0, count: 13) + [1],
        [0xFD, 0, 0x0E, 0xC2] + Array(repeating: 0, count: 10) + [2, 0x54],
        [0, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8) + [169, 254, 1, 1],
    ]

    @Test("a range, an address and a name allow what they name, on their port only")
    func named() throws {
        for (text, url) in [
            ("10.1.0.0/16", "http://minio.test/"), ("10.1.2.3", "http://minio.test:9000/"),
            ("10.1.2.3:9000", "http://minio.test:9000/"), ("MinIO.test", "http://minio.test/"),
            ("minio.test:9000", "https://minio.test:9000/"), ("0.0.0.0/0", "http://minio.test/"),
        ] {
            let policy = try Self.policy([text])
            #expect(try Self.allows(policy, url, at: Self.inside), "\(text)")
            #expect(try Self.allows(policy, url, at: Self.mapped), "\(text)")
        }
        for (text, url) in [
            ("10.2.0.0/16", "http://minio.test/"), ("10.1.2.4", "http://minio.test/"),
            ("10.1.2.3:9000", "http://minio.test/"), ("other.test", "http://minio.test/"),
            ("minio.test:9000", "http://minio.test/"), ("[fd00::]/8", "http://minio.test/"),
        ] {
            #expect(try !Self.allows(Self.policy([text]), url, at: Self.inside), "\(text)")
        }
    }

    @Test("link-local addresses are allowed only if an address or a range names them")
    func linkLocal() throws {
        let url = "http://minio.test/"
        for address in Self.linkLocal {
            for policy in [
                try Self.policy([], allowsPrivate: true), try Self.policy(["minio.test"]),
                try Self.policy(["10.0.0.0/8"]),
            ] {
                #expect(try !Self.allows(policy, url, at: address), "\(address)")
            }
        }
        let all = try Self.policy([
            "169.254.0.0/16", "100.100.100.200", "fe80::/10", "fd00:ec2::254",
        ])
        for address in Self.linkLocal.dropLast() {
            #expect(try Self.allows(all, url, at: address), "\(address)")
        }
        // The tool allows them with --allow-private.
        var settings = NetworkSettings()
        settings.allowPrivate = true
        for address in Self.linkLocal {
            #expect(try Self.allows(settings, url, at: address))
        }
    }

    @Test("an address in a URL is checked with its port, and a refused port must be named")
    func literals() throws {
        let policy = try Self.policy(["10.1.2.3:22", "127.0.0.1", "localhost"])
        let allowed = ["http://10.1.2.3:22/", "http://127.0.0.1/", "http://localhost:8080/"]
        for text in allowed { try policy.check(WebAddress(text)) }
        for text in [
            "http://10.1.2.3/", "http://127.0.0.1:22/", "http://127.0.0.2/", "http://localhost:22/",
            "http://169.254.1.1/", "http://a.localhost/",
        ] {
            #expect(throws: ItemFailure.self, "\(text)") {
                try policy.check(WebAddress(text))
            }
        }
    }

    @Test(
        "a text that is not a host, an address or a range is not a valid allowance",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0:80/8", "host/8", "a b",
            "user@host", "host?x", "host#x", "fe80::/129", "10.0.0.0/8/8", "host:0", "host:99999",
        ])
    func malformed(text: String) {
        #expect(PrivateAllowance(text) == nil)
    }

    @Test("request headers replace the headers of the settings with the same name")
    func headers() throws {
        var settings = NetworkSettings()
        settings.headers = [NetworkHeader("A", "1"), NetworkHeader("B", "2")].compactMap { $0 }
        let own = try #require(NetworkHeader("a", "3"))
        #expect(settings.headerLines(adding: [own]) == ["B: 2", "a: 3"])
        #expect(settings.headerLines(adding: []) == ["A: 1", "B: 2"])
    }
}
