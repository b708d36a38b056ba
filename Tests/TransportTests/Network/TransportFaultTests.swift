import Testing
import Transport

@Suite("Faults of servers", .serialized)
struct TransportFaultTests {
    @Test("A healthy answer comes whole")
    func healthy() async throws {
        let loader = try TestLoader.make()
        let outcome = await loader.load(TestServers.faults.url("ok"))
        #expect(outcome.bytes == TestPicture.fault, "\(outcome)")
    }
}
