import Support
import Testing
import Transport

/// Servers that break the rules of HTTP, one case a line; the numbers are those of the list of
/// faults that the project keeps.
@Suite("Faults of servers")
struct TransportFaultTests {
    /// A place on the fault server, what must come of it, and attempts it may take.
    struct Case: CustomTestStringConvertible, Sendable {
        let number: Int
        let path: String
        let outcome: String
        var testDescription: String { "fault \(number): /\(path) is \(outcome)" }

        init(_ number: Int, _ path: String, _ outcome: String) {
            self.number = number
            self.path = path
            self.outcome = outcome
        }
    }

    static let loader = try? TestLoader.make {
        $0.bodyLimit = 1 << 20
        $0.timeout = .seconds(10)
        $0.itemTimeout = .seconds(20)
    }
    static let hasty = try? TestLoader.make { $0.timeout = .milliseconds(500) }

    private func load(
        _ path: String, by loader: NetworkLoader? = loader
    ) async throws -> NetworkOutcome {
        let loader = try #require(loader)
        return await loader.load(TestServers.faults.url(path))
    }

    static let patience = [
        Case(21, "silent", "timeout"), Case(21, "slow-head", "timeout"),
        Case(21, "slow-body", "timeout"), Case(21, "stall-body", "timeout"),
        Case(21, "steady-body", "ok"),
    ]

    static let sizes = [
        Case(22, "endless", "too_large"), Case(22, "endless-chunks", "too_large"),
        Case(23, "bomb/gzip/1", "too_large"), Case(23, "bomb/gzip/2", "too_large"),
        Case(23, "bomb/gzip/3", "too_large"), Case(23, "layers/10", "too_large"),
        Case(23, "layers/2", "ok"), Case(23, "encoded/gzip", "ok"),
        Case(23, "encoded/deflate", "ok"), Case(23, "empty-deflate", "too_large"),
        Case(23, "bad-gzip", "bad_http"), Case(23, "members/1", "ok"),
        Case(23, "members/3", "ok"), Case(23, "members/4000", "ok"),
        Case(23, "members/3/zeros", "ok"), Case(23, "members/3/cut", "truncated"),
        Case(23, "members/3/junk", "bad_http"), Case(23, "members/3/bomb", "too_large"),
    ]

    static let lengths = [
        Case(24, "length/100000", "truncated"), Case(25, "length/100", "ok"),
        Case(25, "length/-5", "bad_http"), Case(25, "length/1000000000000000000", "too_large"),
        Case(25, "length/99999999999999999999999", "too_large"),
        Case(25, "length/4104/100", "bad_http"), Case(25, "length/4104/4104", "ok"),
        Case(25, "length/12x", "ok"), Case(25, "length-and-chunked", "ok"),
    ]

    static let chunks = [
        Case(26, "chunks/good", "ok"), Case(26, "chunks/size", "truncated"),
        Case(26, "chunks/huge", "truncated"), Case(26, "chunks/cut", "truncated"),
        Case(26, "chunks/missing", "truncated"), Case(26, "chunks/trailers", "bad_http"),
    ]

    static let heads = [
        Case(27, "raw/http09", "bad_http"), Case(27, "raw/status9999", "bad_http"),
        Case(27, "raw/status099", "bad_http"), Case(27, "raw/long-header", "bad_http"),
        Case(27, "raw/many-headers", "bad_http"), Case(27, "raw/continues", "bad_http"),
        Case(27, "raw/some-continues", "ok"), Case(27, "raw/lf", "bad_http"),
        Case(27, "raw/folded", "bad_http"), Case(27, "raw/switch", "bad_http"),
        Case(27, "raw/nothing", "bad_http"),
    ]

    static let statuses = [
        Case(28, "bare-status/204", "bad_http"), Case(28, "status/206", "bad_http"),
        Case(28, "bare-status/304", "bad_http"), Case(28, "status/205", "bad_http"),
        Case(28, "status/300", "redirect"), Case(28, "status/302", "redirect"),
        Case(28, "redirect-body/302", "ok"), Case(28, "status/404", "http_4xx"),
        Case(28, "status/410", "http_4xx"), Case(28, "status/500", "http_5xx"),
        Case(28, "status/503", "http_5xx"), Case(28, "endless-error", "http_4xx"),
        Case(28, "status/203", "ok"), Case(28, "status/999", "bad_http"),
        Case(30, "status/401/WWW-Authenticate:_Basic_realm=x", "http_4xx"),
        Case(30, "status/407/Proxy-Authenticate:_Basic_realm=x", "http_4xx"),
    ]

    static let endings = [
        Case(31, "close", "connect"), Case(31, "reset", "connect"),
        Case(31, "reset-body", "truncated"),
    ]

    static let redirects = [
        Case(14, "loop", "redirect"), Case(14, "hops/4", "ok"), Case(14, "hops/5", "redirect"),
        Case(14, "redirect/301/~ok", "ok"), Case(14, "redirect/302/..~..~ok", "ok"),
        Case(14, "redirect/307/", "redirect"), Case(14, "redirect/302/http:~~", "redirect"),
        Case(14, "redirect/302/http:~~a^b~", "redirect"),
        Case(13, "redirect/303/file:~~~etc~passwd", "redirect"),
        Case(13, "redirect/308/gopher:~~127.0.0.1~", "redirect"),
        Case(13, "redirect/302/data:image~png;base64,AAAA", "redirect"),
    ]

    @Test(
        arguments: sizes + lengths + chunks + heads + statuses + endings + redirects)
    func endsInItsClass(_ fault: Case) async throws {
        let outcome = try await load(fault.path)
        #expect(outcome.className == fault.outcome, "\(outcome.result)")
    }

    @Test(arguments: patience)
    func endsInTime(_ fault: Case) async throws {
        let outcome = try await load(fault.path, by: Self.hasty)
        #expect(outcome.className == fault.outcome, "\(outcome.result)")
        #expect(outcome.timings.active < 5_000_000_000)
    }

    @Test("An empty body is an answer; what is in it is for others to say")
    func emptyBody() async throws {
        let outcome = try await load("empty")
        #expect(outcome.bytes == [])
    }

    @Test("a protocol-relative redirect leads on")
    func protocolRelative() async throws {
        let second = TestServers.faults.port("second")
        let outcome = try await load("redirect/302/~~127.0.0.1:\(second)~ok")
        #expect(outcome.bytes == TestPicture.fault)
        #expect(outcome.response?.finalURL == "http://127.0.0.1:\(second)/ok")
        #expect(outcome.redirects == 1)
    }

    @Test(
        "the type that a server names changes nothing",
        arguments: [
            "text_html", "image_jpeg", "application_octet-stream",
        ])
    func wrongType(_ type: String) async throws {
        let outcome = try await load("typed/\(type)")
        #expect(outcome.bytes == TestPicture.fault)
    }

    @Test("a connection closed between two requests costs nothing")
    func closedBetween() async throws {
        for _ in 0..<3 {
            let outcome = try await load("close-after")
            #expect(outcome.className == "ok", "\(outcome.result)")
        }
    }

    @Test("A server that opts out is heard")
    func optOut() async throws {
        let asked = try await load("robots")
        #expect(asked.response?.headers.optsOut == true)
        let silent = try await load("ok")
        #expect(silent.response?.headers.optsOut == false)
    }
}
