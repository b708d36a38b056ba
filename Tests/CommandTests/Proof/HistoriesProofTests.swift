import Foundation
import Support
import Testing

@Suite("Random histories of an output folder", .ownThreads)
struct HistoriesProofTests {
    private static let script = Repository.path("Benchmarks/Proof/histories.py")

    @Test("random nights lose no good emblem, and a good night ends like a fresh run")
    func histories() async throws {
        let folder = try ScratchFolder()
        let proof = try await apart {
            try Tool.run(
                "/usr/bin/python3",
                [Self.script, Tool.path(of: "emblem"), "scratch", "--sequences", "8"],
                in: folder.path)
        }
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        #expect(proof.output.contains("sequences: 8"), "\(proof.output)")
    }
}
