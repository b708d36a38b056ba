import Support
import Synchronization
import Testing
import Transport

@Suite("Objects in buckets")
struct BucketTests {
    private static let key = [
        "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cr/t",
        "AWS_SESSION_TOKEN": "tok+en", "AWS_REGION": "eu-west-1",
    ]

    private static func settings(
        _ server: PageServer, _ variables: [String: String] = key
    ) -> (inout NetworkSettings) -> Void {
        {
            let endpoint = ["AWS_ENDPOINT_URL_S3": server.url("/")]
            $0.buckets = Buckets { endpoint[$0] ?? variables[$0] }
            $0.headers = [NetworkHeader("X-Own", "1")].compactMap { $0 }
        }
    }

    @Test("a request for an object is signed with the key, the token and the region")
    func signature() async throws {
        let server = PageServer { _ in TestPicture.svg }
        defer { server.stop() }
        let loader = TestLoader.make(Self.settings(server))
        let outcome = await loader.load("s3://logos/sub/b c+50%/ä.svg")
        #expect(outcome.bytes == TestPicture.svg)
        #expect(server.paths == ["/logos/sub/b%20c%2B50%25/%C3%A4.svg"])
        let head = server.requests[0]
        #expect(head.contains("Authorization: AWS4-HMAC-SHA256 Credential=AKID/"))
        #expect(head.contains("/eu-west-1/s3/aws4_request"))
        #expect(
            head.contains(
                "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token"))
        #expect(head.contains("x-amz-security-token: tok+en"))
        #expect(!head.contains("s3cr") && !head.contains("X-Own"))
    }

    @Test("neither the key nor its token is sent after a redirect, to the same host or another")
    func redirects() async throws {
        let other = PageServer { _ in TestPicture.svg }
        let server = PageServer(redirects: ["/logos/a.svg": other.url("/x"), "/logos/b.svg": "/y"])
        {
            $0 == "/y" ? TestPicture.svg : nil
        }
        defer {
            server.stop()
            other.stop()
        }
        let loader = TestLoader.make(Self.settings(server))
        for name in ["a.svg", "b.svg"] {
            #expect(await loader.load("s3://logos/\(name)").bytes == TestPicture.svg)
        }
        for head in other.requests + server.requests.filter({ $0.contains(" /y ") }) {
            #expect(!head.contains("Authorization") && !head.lowercased().contains("x-amz"))
        }
        #expect(other.requests.count == 1 && server.requests.count == 3)
        // The handle that signed serves other requests, too.
        #expect(await loader.load(server.url("/y")).bytes == TestPicture.svg)
        #expect(!(server.requests.last ?? "").contains("Authorization"))
    }

    @Test("an object of a public bucket is requested without a key")
    func anonymous() async throws {
        let server = PageServer { _ in TestPicture.svg }
        defer { server.stop() }
        let loader = TestLoader.make(Self.settings(server, [:]))
        #expect(await loader.load("s3://logos/a.svg").className == "ok")
        #expect(!server.requests[0].contains("Authorization"))
    }

    @Test("an object that was loaded with a key is not cached")
    func cache() async throws {
        let folder = try ScratchFolder()
        let server = PageServer { _ in TestPicture.svg }
        defer { server.stop() }
        let loader = TestLoader.make {
            Self.settings(server)(&$0)
            $0.cache = CacheSettings(folder: folder.path)
        }
        for _ in 0..<2 { #expect(await loader.load("s3://logos/a.svg").className == "ok") }
        #expect(server.paths.count == 2)
        #expect(loader.cachedResponse("s3://logos/a.svg") == nil)
    }

    @Test(
        "a source without a valid bucket and key is a bad URL",
        arguments: [
            "s3://logos", "s3://logos/", "s3:///a.svg", "s3://lo/a.svg", "s3://lo..gos/a.svg",
            "s3://me:pw@logos/a.svg", "s3://logos:80/a.svg", "s3://logos?a/b", "s3://logos#a/b",
            "s3://logos/a/../b.svg", "s3://logos/./b.svg", "s3://logos/..", "s3://lo%2fgos/a",
            "s3://logos/a/", "s3://" + String(repeating: "a", count: 300) + "/b", "s3:logos/a.svg",
        ])
    func refusals(_ source: String) async throws {
        let server = PageServer { _ in TestPicture.svg }
        defer { server.stop() }
        let loader = TestLoader.make(Self.settings(server))
        #expect(await loader.load(source).className == "bad_url")
        #expect(server.paths.isEmpty)
    }

    @Test("a store at a private address is refused unless private addresses are allowed")
    func privateStore() async throws {
        let server = PageServer { _ in TestPicture.svg }
        defer { server.stop() }
        let loader = TestLoader.make {
            Self.settings(server)(&$0)
            $0.allowPrivate = false
        }
        #expect(await loader.load("s3://logos/a.svg").className == "blocked_address")
        #expect(server.paths.isEmpty)
        let plain = TestLoader.make()
        #expect(await plain.load("s3://logos/a.svg").className == "unsupported_scheme")
    }

    @Test("key and region of a profile are read from the files of Amazon's tools")
    func profiles() async throws {
        let server = PageServer { _ in TestPicture.svg }
        defer { server.stop() }
        let folder = try ScratchFolder()
        try folder.write(
            """
            # keys
            [default]
            aws_access_key_id = A
              aws_secret_access_key = x
            [ work ]
            AWS_Access_Key_ID=B
            aws_secret_access_key = c=d ; e
            [work]
            aws_access_key_id = Z
            """, to: ".aws/credentials")
        try folder.write("[profile  work]\nregion = eu-west-1\nbroken\n", to: ".aws/config")
        for (profile, words) in [
            ("work", "Credential=B/"), ("default", ""), ("none", nil),
        ] as [(String, String?)] {
            let variables = ["HOME": folder.path, "AWS_PROFILE": profile]
            server.forget()
            let loader = TestLoader.make(Self.settings(server, variables))
            let outcome = await loader.load("s3://logos/a.svg")
            #expect((outcome.className == "ok") == (words != nil), "\(outcome.result)")
            let head = server.requests.first ?? ""
            #expect(head.contains("/eu-west-1/s3/") == (profile == "work"))
            #expect(
                head.contains(words ?? "")
                    && head.contains("Authorization") == (words?.isEmpty == false))
        }
    }
}
