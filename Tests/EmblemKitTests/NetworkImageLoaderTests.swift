import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("The network image loader")
struct NetworkImageLoaderTests {
    private static func settings() -> NetworkImageLoader.Settings {
        var settings = NetworkImageLoader.Settings()
        settings.allowPrivate = true
        settings.retries = 0
        settings.connections = 16
        return settings
    }

    private static let loader = NetworkImageLoader(settings())

    private func url(_ path: String) throws -> URL {
        try #require(URL(string: TestServers.nginx.url(path)))
    }

    private func failure(_ url: URL, _ loader: NetworkImageLoader) async -> EmblemError? {
        await #expect(throws: EmblemError.self) { try await loader.loadImage(from: url) }
    }

    @Test("a response that is not a picture is failedToDecode for every kind of request")
    func noPicture() async throws {
        TestServers.nginx.publish(try TestPictures.truncated(), as: "kit-half.png")
        TestServers.nginx.publish(Array("<html>".utf8), as: "kit-page.png")
        for name in ["kit-half.png", "kit-page.png"] {
            var emblem = AsyncEmblem(url: try url("files/\(name)"))
            emblem.loader = Self.loader
            let phases = await emblem.phases().reduce(into: []) { $0.append($1) }
            let drawn = try await emblem.render()
            let direct = await failure(try url("files/\(name)"), Self.loader)
            for error in [phases.last?.error, drawn.error, direct] {
                guard case .failedToDecode = error as? EmblemError else {
                    Issue.record("\(name): \(String(describing: error))")
                    continue
                }
            }
            #expect(try await Self.loader.loadData(from: url("files/\(name)")).count > 5)
        }
    }

    @Test("private addresses are blocked unless they are allowed, in any spelling")
    func addresses() async throws {
        let closed = NetworkImageLoader()
        let port = TestServers.nginx.port(.plain)
        for host in ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "localhost"] {
            let url = try #require(URL(string: "http://\(host):\(port)/files/kit-1.png"))
            let error = await failure(url, closed)
            guard case .failedToLoad(let cause) = error else {
                throw OwnError(word: "\(host): \(error as Any)")
            }
            #expect(cause.errorClass == "blocked_address" || cause.errorClass == "bad_url")
        }
    }

    @Test("an allowance opens its address and port, and no other")
    func allowances() async throws {
        TestServers.nginx.publish(try TestPictures.png(8, 8), as: "kit-allowed.png")
        let port = TestServers.nginx.port(.plain)
        let address = try #require(
            URL(string: "http://127.0.0.1:\(port)/files/kit-allowed.png"))
        let named = try #require(URL(string: "http://localhost:\(port)/files/kit-allowed.png"))
        func classes(_ allowed: [String]) async -> [String?] {
            var settings = NetworkImageLoader.Settings()
            settings.allowedPrivate = allowed
            let loader = NetworkImageLoader(settings)
            var classes: [String?] = []
            for url in [address, named] {
                do {
                    _ = try await loader.loadImage(from: url)
                    classes.append(nil)
                } catch {
                    classes.append((error as? EmblemError)?.errorClass)
                }
            }
            return classes
        }
        #expect(await classes(["127.0.0.1:\(port)"]) == [nil, "blocked_address"])
        #expect(await classes(["127.0.0.0/8"]) == [nil, "blocked_address"])
        #expect(await classes(["localhost:\(port)"]) == ["blocked_address", nil])
        for other in ["127.0.0.1:1", "10.0.0.0/8", "localhost:1"] {
            #expect(await classes([other]) == ["blocked_address", "blocked_address"], "\(other)")
        }
        #expect(await classes(["127.0.0.1/33"]) == ["bad_url", "bad_url"])
    }

    @Test("loaders with other headers share a loader but no response")
    func adding() async throws {
        TestServers.nginx.publish(try TestPictures.png(9, 9), as: "kit-locked.png")
        var settings = Self.settings()
        settings.certificates = TestServers.authority
        let base = NetworkImageLoader(settings)
        let wrong = base.adding([try NetworkImageLoader.Header("Authorization", "Bearer wrong")])
        let token = try NetworkImageLoader.Header("authorization", "Bearer secret")
        let trusted = wrong.adding([token])
        let url = try #require(
            URL(string: TestServers.nginx.secureURL("locked/kit-locked.png")))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<30 {
                let loader = [base, wrong, trusted][index % 3]
                group.addTask {
                    let image = try? await loader.loadImage(from: url)
                    #expect(image?.width == (index % 3 == 2 ? 9 : nil))
                }
            }
        }
    }

    @Test("URLs with schemes other than http, https and data are refused")
    func schemes() async throws {
        for text in ["file:///etc/passwd", "ftp://pictures.test/a.png", "gopher://pictures.test/"] {
            let error = await failure(try #require(URL(string: text)), Self.loader)
            guard case .failedToLoad(let cause) = error else { throw OwnError(word: text) }
            #expect(cause.errorClass == "unsupported_scheme")
        }
        let text = Data(try TestPictures.png(7, 9)).base64EncodedString()
        let url = try #require(URL(string: "data:image/png;base64,\(text)"))
        #expect(try await Self.loader.loadImage(from: url).width == 7)
    }

    @Test("an invalid header is refused when it is set, and its value is not shown")
    func headers() throws {
        for (name, value) in [("", "x"), ("a b", "x"), ("A", "x\r\nB: y"), ("A\n", "x")] {
            #expect(throws: EmblemError.header(name)) {
                try NetworkImageLoader.Header(name, value)
            }
        }
        let header = try NetworkImageLoader.Header("Authorization", "Bearer secret")
        #expect(!"\(header)".contains("secret"))
    }

    @Test("the network loader caches responses in its folder and serves them offline")
    func cache() async throws {
        let folder = try ScratchFolder()
        TestServers.nginx.publish(try TestPictures.png(33, 11), as: "kit-kept.png")
        var settings = Self.settings()
        settings.cache = NetworkImageLoader.Cache(folder: folder.path("cache"))
        let kept = try url("fresh/kit-kept.png")
        _ = try await NetworkImageLoader(settings).loadImage(from: kept)
        settings.isOffline = true
        let offline = NetworkImageLoader(settings)
        #expect(try await offline.loadImage(from: kept).width == 33)
        let error = await failure(try url("fresh/kit-other.png"), offline)
        guard case .failedToLoad(let cause) = error else { throw OwnError(word: "\(error as Any)") }
        #expect(cause.errorClass == "offline")
    }
}
