import Glibc
import Support
import Synchronization
import Testing
import Transport

@Suite("The response cache on disk")
struct CacheTests {
    private static func folder(_ name: String) -> String { "\(TestServers.folder)/cache-\(name)" }

    private static func loader(
        _ folder: String, _ change: (inout NetworkSettings) -> Void = { _ in }
    ) -> NetworkLoader {
        TestLoader.make {
            $0.cache = CacheSettings(folder: folder)
            change(&$0)
        }
    }

    /// Returns how often the fault server received a request for a path.
    private func asked(_ path: String) async throws -> Int {
        let loader = TestLoader.make()
        let outcome = await loader.load(TestServers.faults.url("count/\(path)"))
        return Int(String(decoding: outcome.bytes ?? [], as: UTF8.self)) ?? -1
    }

    @Test(
        "a stale cached response is revalidated",
        arguments: [
            "no-cache", "max-age=0", "public",
        ])
    func revalidated(_ control: String) async throws {
        let path = "etag/again-\(control)/\(control)"
        for origin in [NetworkResponse.Origin.network, .revalidated, .revalidated] {
            let loader = Self.loader(Self.folder("again-\(control)"))
            let outcome = await loader.load(TestServers.faults.url(path))
            #expect(outcome.response?.origin == origin)
            #expect(outcome.bytes == TestPicture.fault)
        }
        #expect(try await asked(path) == 3)
    }

    @Test(
        "responses that forbid caching, and any status but 200, are not cached",
        arguments: [
            "etag/never/no-store", "status/203", "status/404", "status/500", "length/9999",
        ])
    func notKept(_ path: String) async throws {
        let folder = Self.folder("never")
        let url = TestServers.faults.url(path)
        _ = await Self.loader(folder).load(url)
        let offline = Self.loader(folder) { $0.isOffline = true }
        #expect(await offline.load(url).className == "offline")
    }

    @Test("an offline loader serves cached responses, even stale ones, and sends no request")
    func offline() async throws {
        let folder = Self.folder("offline")
        let path = "etag/offline/no-cache"
        let url = TestServers.faults.url(path)
        _ = await Self.loader(folder).load(url)
        let loader = Self.loader(folder) { $0.isOffline = true }
        #expect(await loader.load(url).bytes == TestPicture.fault)
        #expect(await loader.load(TestServers.faults.url("ok/unkept")).className == "offline")
        #expect(try await asked(path) == 1)
        let without = TestLoader.make { $0.isOffline = true }
        #expect(await without.load(url).className == "offline")
    }

    @Test("a cache that is cleared while a loader uses it loses its entries and keeps new ones")
    func cleared() async throws {
        let folder = Self.folder("cleared")
        let url = TestServers.faults.url("etag/cleared/max-age=600")
        let loader = Self.loader(folder)
        #expect(await loader.load(url).response?.origin == .network)
        guard case .cache(let cache) = try ResponseCache.detect(at: folder) else {
            Issue.record("the folder of the loader is not a cache")
            return
        }
        #expect(try cache.clear().entries == 1)
        #expect(cache.content().entries == 0 && Self.files(folder).isEmpty)
        for origin in [NetworkResponse.Origin.network, .cache] {
            #expect(await loader.load(url).response?.origin == origin)
        }
        #expect(cache.content().entries == 1)
    }

    @Test("a cache entry with any damaged byte is a miss")
    func damaged() async throws {
        let folder = Self.folder("damaged")
        let path = "etag/damaged/max-age=600"
        let url = TestServers.faults.url(path)
        let loader = Self.loader(folder)
        _ = await loader.load(url)
        let file = try #require(Self.files(folder).first)
        let whole = TestFile.read(file)
        var broken: [[UInt8]] = [[], Array(whole.dropLast()), Array(whole.prefix(10)), whole + [0]]
        for index in stride(from: 0, to: whole.count, by: whole.count / 23) {
            var copy = whole
            copy[index] ^= 1
            broken.append(copy)
        }
        for bytes in broken {
            TestFile.write(bytes, to: file)
            let outcome = await loader.load(url)
            #expect(outcome.response?.origin == .network)
            #expect(outcome.bytes == TestPicture.fault)
        }
        #expect(try await asked(path) == 1 + broken.count)
    }

    @Test(
        "a response behind redirects is fresh for as long as each redirect is",
        arguments: [
            ("302", "", NetworkResponse.Origin.revalidated), ("301", "", .cache),
            ("308", "", .cache), ("301", "no-cache", .revalidated),
            ("308", "no-store", .network),
            ("302", "max-age=600", .cache), ("307", "max-age=0", .revalidated),
            ("302", "max-age=99999999999999999999", .cache),
        ])
    func redirected(_ status: String, _ control: String, _ then: NetworkResponse.Origin)
        async throws
    {
        let name = "redirected-\(status)-\(control)"
        let folder = Self.folder(name)
        let start =
            control.isEmpty ? "redirect/\(status)" : "redirect-kept/\(control)/\(status)"
        for origin in [NetworkResponse.Origin.network, then] {
            let loader = Self.loader(folder)
            let outcome = await loader.load(
                TestServers.faults.url("\(start)/~etag~\(name)~max-age=600"))
            #expect(outcome.response?.origin == origin)
            #expect(outcome.bytes == TestPicture.fault)
        }
        #expect(try await asked("etag/\(name)/max-age=600") == (then == .cache ? 1 : 2))
    }

    @Test("a cached response behind redirects is not served if redirects are not allowed")
    func fewerRedirects() async throws {
        let folder = Self.folder("fewer-redirects")
        let url = TestServers.faults.url("redirect/301/~etag~fewer~max-age=600")
        for redirects in [5, 5, 0] {
            let loader = Self.loader(folder) { $0.redirects = redirects }
            let outcome = await loader.load(url)
            #expect((outcome.response == nil) == (redirects == 0))
        }
        let offline = Self.loader(folder) {
            $0.redirects = 0
            $0.isOffline = true
        }
        #expect(await offline.load(url).response == nil)
    }

    @Test("an overlong max-age counts as long, and an invalid date as expired")
    func lifetimes() {
        func lifetime(_ lines: String) -> Int64? {
            ResponseHeaders(head: Array((lines + "\r\n").utf8).span)
                .lifetime(redirectLifetime: ResponseHeaders.direct)
        }
        let thousandYears: Int64 = 1_000 * 366 * 86_400
        #expect(lifetime("Cache-Control: max-age=99999999999999999999") == thousandYears)
        #expect(lifetime("Cache-Control: max-age=-1") == 0)
        #expect(lifetime("Cache-Control: max-age=+5") == 0)
        #expect(lifetime("Cache-Control: max-age=\"60\"\r\nAge: 10") == 50)
        #expect(lifetime("Expires: 0\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT") == 0)
        #expect(
            lifetime(
                "Expires: Sun, 06 Nov 1994 08:50:37 GMT\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT")
                == 60)
        #expect(lifetime("ETag: x") == 0)
        #expect(lifetime("Cache-Control: no-store") == nil)
    }

    @Test("requests with other headers have other cache entries, and passwords are not stored")
    func keys() async throws {
        let folder = Self.folder("keys")
        let path = "etag/keys/max-age=600"
        let url = TestServers.faults.url(path)
        _ = await Self.loader(folder).load(url)
        let other = Self.loader(folder) {
            $0.headers = [NetworkHeader("X-Token", "a")].compactMap(\.self)
        }
        #expect(await other.load(url).response?.origin == .network)
        for (agent, origin) in [
            ("emblem/9.9", NetworkResponse.Origin.cache), ("another", .network),
            ("another", .cache),
        ] {
            let loader = Self.loader(folder) { $0.userAgent = agent }
            #expect(await loader.load(url).response?.origin == origin)
        }
        let port = TestServers.faults.port("plain")
        let secret = "http://user:pass@127.0.0.1:\(port)/etag/secret/max-age=600"
        let loader = Self.loader(folder)
        for _ in 0..<2 {
            #expect(await loader.load(secret).response?.origin == .network)
        }
    }

    @Test("the cache folder keeps its size limit and its recently used entries")
    func bounded() async throws {
        let folder = Self.folder("bounded")
        let limit = 64 << 10
        let kept = TestServers.faults.url("etag/bounded/max-age=600")
        for index in 0..<60 {
            let loader = Self.loader(folder) {
                $0.cache = CacheSettings(folder: folder, bytesLimit: limit)
            }
            _ = await loader.load(kept)
            _ = await loader.load(TestServers.nginx.url("fresh/logo-\(index % 50).png"))
            loader.shutDown()
        }
        let total = Self.files(folder).reduce(0) { $0 + TestFile.read($1).count }
        #expect(total <= limit && total > limit / 2, "\(total)")
        #expect(try await asked("etag/bounded/max-age=600") == 1)
    }

    @Test("two loaders can use one cache folder at the same time")
    func together() async throws {
        let folder = Self.folder("together")
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let loader = Self.loader(folder) {
                        $0.cache = CacheSettings(folder: folder, bytesLimit: 200_000)
                    }
                    for round in 0..<60 {
                        let index = round % 50
                        let outcome = await loader.load(
                            TestServers.nginx.url("files/logo-\(index).png"))
                        #expect(outcome.bytes == TestPicture.bytes(index), "\(outcome.result)")
                    }
                }
            }
        }
        #expect(Self.files(folder).reduce(0) { $0 + TestFile.read($1).count } <= 250_000)
        #expect(Self.names("\(folder)/v1/tmp").isEmpty)
    }

    @Test("a cache folder that cannot be created is reported once if loads may continue without it")
    func withoutCache() async throws {
        TestFile.write([1], to: "\(TestServers.folder)/another-file")
        let told = Mutex<[Int32]>([])
        let loader = TestLoader.make {
            $0.cache = CacheSettings(folder: "\(TestServers.folder)/another-file/cache") { error in
                told.withLock { $0.append(error.code) }
            }
        }
        for index in 0..<3 {
            let outcome = await loader.load(TestServers.nginx.url("files/logo-\(index).png"))
            #expect(outcome.bytes == TestPicture.bytes(index), "\(outcome.result)")
        }
        #expect(told.withLock { $0 } == [ENOTDIR])
    }

    private static func files(_ folder: String) -> [String] {
        names("\(folder)/v1").filter { $0.utf8.count == 2 }.flatMap { part in
            names("\(folder)/v1/\(part)").map { "\(folder)/v1/\(part)/\($0)" }
        }
    }

    private static func names(_ folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
