import Support
import Testing

@Suite("Sources in object stores", .ownThreads)
struct StoreTests {
    private static let svg = Array(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>".utf8
    )

    @Test("keys of the environment and of profiles sign requests and are in no record or message")
    func keys() throws {
        let server = PageServer { $0 == "/logos/a.svg" ? Self.svg : nil }
        defer { server.stop() }
        let folder = try ScratchFolder()
        folder.makeFolder("aws")
        try folder.write(
            "[work]\naws_access_key_id = AKFILE\naws_secret_access_key = s3cr/t\n", to: "aws/keys")
        try folder.write("[profile work]\nregion = eu-north-1\n", to: "aws/settings")
        try folder.write("s3://logos/a.svg\ns3://logos/none.svg\n", to: "list.txt")
        let files = [
            "AWS_PROFILE": "work", "AWS_SHARED_CREDENTIALS_FILE": folder.path("aws/keys"),
            "AWS_CONFIG_FILE": folder.path("aws/settings"), "HOME": folder.path,
        ]
        let own = [
            "AWS_ACCESS_KEY_ID": "AKENV", "AWS_SECRET_ACCESS_KEY": "s3cr/t",
            "AWS_SESSION_TOKEN": "s3cret-token", "AWS_REGION": "us-west-2",
        ]
        for (out, environment, words) in [
            ("file", files, "Credential=AKFILE/"),
            ("env", files.merging(own) { $1 }, "Credential=AKENV/"),
        ] {
            server.forget()
            let ending = try Tool.emblem(
                [
                    "batch", "--list", "list.txt", "-o", out, "--s3-endpoint", server.url(""),
                    "--allow-private", "--layout", "small", "--retries", "0", "-v", "--report",
                    "--trace", "\(out).json", "--cache", "cache",
                ], in: folder.path, environment: environment)
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { $0.contains(words) })
            let region = out == "env" ? "/us-west-2/s3/" : "/eu-north-1/s3/"
            #expect(server.requests.allSatisfy { $0.contains(region) })
            let manifest = try folder.text("\(out)/manifest.ndjson")
            #expect(manifest.contains("\"source\":\"s3://logos/a.svg\",\"status\":\"ok\""))
            #expect(manifest.contains("\"http_status\":404"))
            #expect(!(ending.output + ending.errors).contains("s3cr"))
            for name in folder.tree("", hidden: true) where !name.hasPrefix("aws/") {
                let text = String(decoding: try folder.read(name), as: UTF8.self)
                #expect(!text.contains("s3cr") && !text.contains("AKFILE"), "\(name)")
            }
        }
    }

    @Test("an endpoint that is not a URL, or a region that is not a name, ends with 64")
    func usage() throws {
        let folder = try ScratchFolder()
        for (endpoint, region) in [
            ("localhost:9000", "us-east-1"), ("ftp://h", "us-east-1"),
            ("http://a:b@h", "us-east-1"),
            ("http://h/?x", "us-east-1"), ("http://h", "evil.example/"), ("http://h", "A"),
        ] {
            let ending = try Tool.emblem(
                ["batch", "s3://logos/a.svg", "-o", "out", "--s3-endpoint", endpoint],
                in: folder.path, environment: ["HOME": folder.path, "AWS_REGION": region])
            #expect(ending.status == 64, "\(endpoint) \(region) \(ending.errors)")
        }
    }
}
