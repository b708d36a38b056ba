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
            let environment = environment.merging(["AWS_ENDPOINT_URL_S3": server.url("")]) { $1 }
            server.forget()
            let ending = try Tool.emblem(
                [
                    "batch", "--list", "list.txt", "-o", out,
                    "--allow-private", "--layout", "small", "--retries", "0", "-v", "--report",
                    "--cache", "cache",
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

    @Test("a source that a store refuses says whether a key was sent")
    func refused() throws {
        let server = PageServer(refusal: "403 Forbidden") { _ in nil }
        defer { server.stop() }
        let folder = try ScratchFolder()
        let key = ["AWS_ACCESS_KEY_ID": "AKENV", "AWS_SECRET_ACCESS_KEY": "s3cr/t"]
        for (environment, words) in [
            (
                [:],
                "403 Forbidden: sent without a key; set AWS_ACCESS_KEY_ID and "
                    + "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
            ), (key, "403 Forbidden: the store refused the key or the key has no access"),
        ] as [([String: String], String)] {
            let ending = try Tool.emblem(
                [
                    "batch", "s3://logos/a.svg", "-o", "out", "--allow-private", "--layout",
                    "small",
                    "--retries", "0", "--cache", "none", "-v", "--force",
                ], in: folder.path,
                environment: environment.merging([
                    "HOME": folder.path, "AWS_ENDPOINT_URL_S3": server.url(""),
                ]) { $1 })
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.errors.contains(words), "\(ending.errors)")
        }
    }
}
