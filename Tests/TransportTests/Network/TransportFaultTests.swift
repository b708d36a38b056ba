import Support
import Testing
import Transport

@Suite("Faulty servers")
struct TransportFaultTests {
    /// A path on the fault server, its expected result, and the expected number of attempts.
    struct Case: CustomTestStringConvertible, Sendable {
        let path: String
        let outcome: String
        var testDescription: String { "/\(path) is \(outcome)" }

        init(_ path: String, _ outcome: String) {
            self.path = path
            self.outcome = outcome
        }
    }

    static let loader = TestLoader.make { $0.bodyLimit = 1 << 20 }
    static let hasty = TestLoader.make { $0.timeout = .milliseconds(500) }

    private func load(
        _ path: String, by loader: NetworkLoader = loader
    ) async throws -> NetworkOutcome {
        await loader.load(TestServers.faults.url(path))
    }

    static let patience = [
        Case("silent", "timeout"), Case("slow-head", "timeout"),
        Case("slow-body", "timeout"), Case("stall-body", "timeout"),
    ]

    static let sizes = [
        Case("endless", "too_large"), Case("endless-chunks", "too_large"),
        Case("bomb/gzip/1", "too_large"), Case("bomb/gzip/2", "too_large"),
        Case("bomb/gzip/3", "too_large"), Case("layers/10", "too_large"),
        Case("layers/2", "ok"), Case("encoded/gzip", "ok"),
        Case("encoded/deflate", "ok"), Case("empty-deflate", "too_large"),
        Case("bad-gzip", "bad_http"),
    ]

    static let lengths = [
        Case("length/100000", "truncated"), Case("length/100", "ok"),
        Case("length/-5", "bad_http"), Case("length/1000000000000000000", "too_large"),
        Case("length/99999999999999999999999", "too_large"),
        Case("length/4104/100", "bad_http"), Case("length/4104/4104", "ok"),
        Case("length/12x", "ok"), Case("length-and-chunked", "ok"),
    ]

    static let chunks = [
        Case("chunks/good", "ok"), Case("chunks/size", "truncated"),
        Case("chunks/huge", "truncated"), Case("chunks/cut", "truncated"),
        Case("chunks/missing", "truncated"), Case("chunks/trailers", "bad_http"),
    ]

    static let heads = [
        Case("raw/http09", "bad_http"), Case("raw/status9999", "bad_http"),
        Case("raw/status099", "bad_http"), Case("raw/long-header", "bad_http"),
        Case("raw/many-headers", "bad_http"), Case("raw/continues", "bad_http"),
        Case("raw/some-continues", "ok"), Case("raw/lf", "bad_http"),
        Case("raw/folded", "bad_http"), Case("raw/switch", "bad_http"),
        Case("raw/nothing", "bad_http"),
    ]

    static let statuses = [
        Case("bare-status/204", "bad_http"), Case("status/206", "bad_http"),
        Case("bare-status/304", "bad_http"), Case("status/205", "bad_http"),
        Case("status/300", "redirect"), Case("status/302", "redirect"),
        Case("redirect-body/302", "ok"), Case("status/404", "http_4xx"),
        Case("status/410", "http_4xx"), Case("status/500", "http_5xx"),
        Case("status/503", "http_5xx"), Case("endless-error", "http_4xx"),
        Case("status/203", "ok"), Case("status/999", "bad_http"),
        Case("status/401/WWW-Authenticate:_Basic_realm=x", "http_4xx"),
        Case("status/407/Proxy-Authenticate:_Basic_realm=x", "http_4xx"),
    ]

    static let endings = [
        Case("close", "connect"), Case("reset", "connect"),
        Case("reset-body", "truncated"),
    ]

    static let redirects = [
        Case("loop", "redirect"), Case("hops/4", "ok"), Case("hops/5", "redirect"),
        Case("redirect/301/~ok", "ok"), Case("redirect/302/..~..~ok", "ok"),
        Case("redirect/307/", "redirect"), Case("redirect/302/http:~~", "redirect"),
        Case("redirect/302/http:~~a^b~", "redirect"),
        Case("redirect/303/file:~~~etc~passwd", "redirect"),
        Case("redirect/308/gopher:~~127.0.0.1~", "redirect"),
        Case("redirect/302/data:image~png;base64,AAAA", "redirect"),
    ]

    @Test(
        "each server fault ends with its error class",
        arguments: sizes + lengths + chunks + heads + statuses + endings + redirects)
    func endsInItsClass(_ fault: Case) async throws {
        let outcome = try await load(fault.path)
        #expect(outcome.className == fault.outcome, "\(outcome.result)")
    }

    @Test("a slow server ends with a timeout in time", arguments: patience)
    func endsInTime(_ fault: Case) async throws {
        let outcome = try await load(fault.path, by: Self.hasty)
        #expect(outcome.className == fault.outcome, "\(outcome.result)")
        // The limit of the item alone would be ten minutes.
        #expect(outcome.timings.active < 300_000_000_000)
    }

    @Test("a steady transfer may take longer than its timeout")
    func steadyBody() async throws {
        #expect(
            try await Waiting.growing(from: .milliseconds(500)) { timeout in
                let loader = TestLoader.make { $0.timeout = timeout }
                let outcome = try await load("steady-body/\(timeout * 4 / .seconds(1))", by: loader)
                return outcome.className == "ok"
            })
    }

    @Test(
        "a connection that the server closes after a complete response is not reused",
        arguments: ["raw/some-continues", "length/4104/4104", "length/100"])
    func lastAnswer(_ path: String) async throws {
        for _ in 0..<100 {
            #expect(try await load(path).className == "ok")
            let next = try await load("raw/lf")
            #expect(next.className == "bad_http", "\(next.result)")
        }
    }

    @Test("a protocol-relative redirect is followed")
    func protocolRelative() async throws {
        let second = TestServers.faults.port("second")
        let outcome = try await load("redirect/302/~~127.0.0.1:\(second)~ok")
        #expect(outcome.bytes == TestPicture.fault)
        #expect(outcome.response?.finalURL == "http://127.0.0.1:\(second)/ok")
        #expect(outcome.redirects == 1)
    }

    @Test("a connection closed between two requests costs at most one attempt")
    func closedBetween() async throws {
        let loader = TestLoader.make { $0.retries = 1 }
        for _ in 0..<3 {
            let outcome = try await load("close-after", by: loader)
            #expect(outcome.className == "ok", "\(outcome.result)")
        }
    }
}
