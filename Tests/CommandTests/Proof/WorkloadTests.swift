import Foundation
import Notation
import Support
import Testing

/// The workloads of `make bench` are stored as data, which must match the options.
@Suite("The workloads of the benchmarks", .ownThreads)
struct WorkloadTests {
    @Test("each benchmark workload uses batch options that exist, and its goals name its cases")
    func workloads() throws {
        let folder = Repository.root.appending(path: "Benchmarks/Workloads")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count >= 12)
        let samples = Repository.root.appending(path: "Datasets/samples").path
        for name in names {
            let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
            let work = try JSONParser.parse(bytes.span)
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
