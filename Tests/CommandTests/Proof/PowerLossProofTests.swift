import Foundation
import Raster
import Support
import Testing

@Suite("Power losses at random moments", .ownThreads)
struct PowerLossProofTests {
    private static let script = Repository.path(
        "Benchmarks/Proof/power-loss.py")

    @Test("a run that loses power at any of several moments is resumed to the same result")
    func rounds() async throws {
        let folder = try ScratchFolder()
        let rounds = Thorough.count(8, of: 60)
        for number in 0..<40 {
            let color = Color(red: UInt8(number), green: 90, blue: 200)
            try folder.write(
                Pictures.disc(color, width: 24 + number % 9, height: 24), to: "in/\(number).png")
        }
        let seed = ProcessInfo.processInfo.environment["EMBLEM_SEED"]
        let proof = try await apart {
            try Tool.run(
                "/usr/bin/python3",
                [
                    Self.script, Tool.path(of: "emblem"), "in", "scratch",
                    "--rounds", "\(rounds)", "--rows", "36",
                ],
                in: folder.path, environment: seed.map { ["EMBLEM_SEED": $0] } ?? [:])
        }
        #expect(proof.status == 0, "\(proof.output)\(proof.errors)")
        #expect(proof.output.contains("rounds: \(rounds)"), "\(proof.output)")
    }
}
