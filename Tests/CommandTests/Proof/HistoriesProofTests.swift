import Foundation
import Support
import Testing

@Suite("Random histories of runs into one folder", .ownThreads)
struct HistoriesProofTests {
    private static let script = Repository.path("Benchmarks/Proof/histories.py")

    @Test("after random lists, options, failures and kills, a run gives the set of a fresh run")
    func histories() async throws {
        let folder = try ScratchFolder()
        let sequences = Thorough.count(4, of: 60)
        let seed = ProcessInfo.processInfo.environment["EMBLEM_SEED"]
        let proof = try await apart {
            try Tool.run(
                "/usr/bin/python3",
                [
                    Self.script, Tool.path(of: "emblem"), "scratch", "--sequences", "\(sequences)",
                ],
                in: folder.path, environment: seed.map { ["EMBLEM_SEED": $0] } ?? [:])
        }
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        #expect(proof.output.contains("sequences: \(sequences)"), "\(proof.output)")
    }
}
