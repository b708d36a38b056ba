import EmblemKit
import FoundationEssentials

/// Walks over the pictures of a folder a given number of times, and prints the time of each walk.
enum Walk {
    static func run(_ words: [String]) async throws {
        let folder = words[0]
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        var batch = EmblemBatch(files.map { ImageSource.local(name: "\(folder)/\($0)") })
        batch.layouts = Emblem.Layout.allCases
        batch.decoding = words.dropFirst(2).first.flatMap(Decoding.Isolation.init).map {
            Decoding($0)
        }
        _ = await DesignSystem.shared.decoding.settle()
        for _ in 0..<(words.dropFirst().first.flatMap { Int($0) } ?? 1) {
            let start = ContinuousClock.now
            var (made, bytes) = (0, 0)
            for await outcome in batch {
                if let error = outcome.error { print("\(outcome.status): \(error)") }
                made += outcome.status == .ok ? 1 : 0
                for emblem in outcome.emblems { bytes += try emblem.image.pngData().count }
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print("\(made) of \(files.count), \(bytes) bytes, \(Double(files.count) / seconds)/s")
        }
    }
}
