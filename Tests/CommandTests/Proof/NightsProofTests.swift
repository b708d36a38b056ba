import Foundation
import Support
import Testing

@Suite("Nights in which servers, lists and processes fail", .ownThreads)
struct NightsProofTests {
    private static let script = Repository.path(
        "Benchmarks/Proof/nights.py")

    @Test("no good emblem is lost in eight nights of failures")
    func nights() async throws {
        let folder = try ScratchFolder()
        let proof = try await apart {
            try Tool.run(
                "/usr/bin/python3",
                [
                    Self.script, Tool.path(of: "emblem"), "scratch", "--nights", "8", "--rows",
                    "200", "--kinds", "first,up,down,page,flaky,short,empty,killed",
                ],
                in: folder.path)
        }
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        #expect(proof.output.contains("nights: 8"), "\(proof.output)")
    }
}
