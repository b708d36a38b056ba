import Foundation
import Notation
import Support
import Testing

/// The workloads of `make bench` are stored as data, which must match the options.
@Suite("The workloads of the benchmarks", .ownThreads)
struct WorkloadTests {
    @Test("each benchmark workload uses batch options that exist, and its goals name its cases")
    func workloads() throws {
        let bytes = Array(
            try Data(contentsOf: Repository.root.appending(path: "Benchmarks/workloads.json")))
        let works = try #require(try JSONParser.parse(bytes.span).members)
        #expect(works.count >= 12)
        let samples = Repository.path("Datasets/samples")
        for (name, work) in works.map({ ($0.name, $0.value) }) {
            let cases = work["cases"]?.elements ?? []
            for options in [work["options"]] + cases.map({ $0["options"] }) {
                let words = options?.elements?.compactMap(\.stringValue) ?? []
                let run = try Tool.emblem(
                    ["batch", samples, "-o", "out", "--dry-run", "--quiet"] + words)
                #expect(run.status == 0, "\(name): \(run.errors)")
            }
            let known = Set(cases.compactMap { $0["name"]?.stringValue })
            for goal in work["goals"]?.elements ?? [] {
                let named = ["quicker", "than", "case"].compactMap { goal[$0]?.stringValue }
                #expect(!named.isEmpty && known.isSuperset(of: named), "\(name)")
            }
        }
    }
}
