import Support
import Testing
import Transport

@Suite("Loads from nginx")
struct NginxTests {
    static let loader = TestLoader.make()

    @Test("many files over plain HTTP arrive complete over few connections")
    func many() async throws {
        let loader = Self.loader
        let reused = await withTaskGroup { group in
            for index in 0..<500 {
                group.addTask {
                    let file = index % 50
                    let url = TestServers.nginx.url("files/logo-\(file).png?\(index)")
                    let outcome = await loader.load(url)
                    #expect(outcome.bytes == TestPicture.bytes(file), "\(outcome.result)")
                    return outcome.reusedConnection ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(reused >= 490)
    }

    @Test("HTTP/2 over TLS multiplexes many files over one connection")
    func multiplexed() async throws {
        let loader = Self.loader
        let reused = await withTaskGroup { group in
            for index in 0..<300 {
                group.addTask {
                    let file = index % 50
                    let url = TestServers.nginx.secureURL("files/logo-\(file).png?\(index)")
                    let outcome = await loader.load(url)
                    #expect(outcome.bytes == TestPicture.bytes(file), "\(outcome.result)")
                    return outcome.reusedConnection ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(reused >= 298)
    }

    @Test("200 parallel redirects over HTTP/2 to one host all arrive")
    func redirectStorm() async throws {
        let loader = TestLoader.make {
            $0.perHost = 200
            $0.connections = 200
        }
        await withTaskGroup { group in
            for index in 0..<200 {
                group.addTask {
                    let url = TestServers.nginx.secureURL("storm/\(index)")
                    let outcome = await loader.load(url)
                    #expect(outcome.bytes == TestPicture.bytes(1), "\(outcome.result)")
                    #expect(outcome.redirects == 1)
                }
            }
        }
    }

    @Test(
        "a wrong certificate is always refused",
        arguments: [
            NginxServer.Port.expired, .elsewhere, .selfSigned, .oldTLS,
        ])
    func certificates(_ port: NginxServer.Port) async throws {
        let loader = Self.loader
        let outcome = await loader.load(TestServers.nginx.secureURL("files/logo-1.png", port))
        #expect(outcome.className == "tls", "\(outcome.result)")
        #expect(outcome.attempts == 1)
    }

    @Test("a good certificate is refused if its authority is not trusted")
    func systemAuthorities() async throws {
        let loader = TestLoader.make { $0.certificates = nil }
        let outcome = await loader.load(TestServers.nginx.secureURL("files/logo-1.png"))
        #expect(outcome.className == "tls", "\(outcome.result)")
    }

    @Test("a TLS handshake that stalls or is reset has its own error class")
    func handshakes() async throws {
        let hasty = TestLoader.make { $0.timeout = .milliseconds(500) }
        let loader = TestLoader.make()
        let stalled = await hasty.load(TestServers.faults.secureURL("tls-stall"))
        #expect(stalled.className == "timeout", "\(stalled.result)")
        let reset = await loader.load(TestServers.faults.secureURL("tls-reset"))
        #expect(reset.className == "tls", "\(reset.result)")
        let good = await loader.load(TestServers.faults.secureURL("tls"))
        #expect(good.bytes == TestPicture.fault, "\(good.result)")
    }

    @Test(
        "an HTTP/2 connection that breaks after its handshake has its own error class",
        arguments: [
            ("h2-good", ["ok"]), ("h2-goaway", ["connect"]), ("h2-rst", ["connect"]),
            ("h2-rst-body", ["truncated"]), ("h2-refused", ["connect"]),
            ("h2-goaway-error", ["connect"]), ("h2-fin", ["connect"]),
            ("h2-fin-body", ["truncated"]), ("h2-short", ["truncated", "bad_http"]),
            ("h2-short-late", ["truncated"]), ("h2-long", ["truncated", "bad_http"]),
            ("h2-bad-head", ["bad_http"]), ("h2-no-status", ["bad_http"]),
            ("h2-bad-frame", ["connect", "bad_http"]), ("h2-bad-code", ["connect", "bad_http"]),
            ("h2-continuation", ["connect", "bad_http", "timeout"]),
            ("h2-window", ["timeout"]),
        ])
    func brokenHTTP2(_ port: String, _ expected: [String]) async throws {
        let loader = TestLoader.make {
            if expected.contains("timeout") { $0.timeout = .milliseconds(500) }
        }
        let outcome = await loader.load(TestServers.faults.secureURL(port))
        #expect(expected.contains(outcome.className), "\(outcome.result)")
    }

    @Test("a body that is encoded without being asked for is inflated")
    func encoded() async throws {
        let loader = Self.loader
        let outcome = await loader.load(TestServers.nginx.url("always/logo.svg"))
        #expect(outcome.bytes == TestPicture.svg, "\(outcome.result)")
    }

    @Test("a host that limits its rate is served in the end")
    func limited() async throws {
        let loader = TestLoader.make {
            $0.retries = 12
        }
        let counts = await withTaskGroup { group in
            for index in 0..<40 {
                group.addTask {
                    await loader.load(
                        TestServers.nginx.url("limited/logo-\(index).png")
                    ).className
                }
            }
            var counts: [String: Int] = [:]
            for await name in group { counts[name, default: 0] += 1 }
            return counts
        }
        #expect(counts == ["ok": 40])
    }

    @Test(
        "connections that end after one or three responses cost only time",
        arguments: [
            "closing", "few",
        ])
    func shortLived(_ path: String) async throws {
        let loader = Self.loader
        for index in 0..<20 {
            let url = TestServers.nginx.url("\(path)/logo-\(index).png")
            let outcome = await loader.load(url)
            #expect(outcome.bytes == TestPicture.bytes(index), "\(outcome.result)")
        }
    }

    @Test("the stages of a load add up to its total")
    func timings() async throws {
        let loader = TestLoader.make()
        let outcome = await loader.load(TestServers.nginx.secureURL("files/logo-40.png"))
        let timings = outcome.timings
        #expect(timings.connect > 0 && timings.firstByte > 0)
        let sum = timings.dns + timings.connect + timings.firstByte + timings.fetch
        #expect(sum <= timings.active + 2_000_000, "\(timings)")
        #expect(outcome.wireBytes == TestPicture.bytes(40).count)
        #expect(outcome.response?.headers.etag != nil)
    }
}
