import Digest
import Engine
import Notation
import Render
import System
import Targets
import Transport

/// Makes outputs of a set again from their sources and compares them with the files, bit for bit.
package struct Proof: Sendable {
    package let options: RecordedOptions
    package let outputs: Int
    /// The indices of the outputs to make; nil for all.
    private let sample: Set<Int>?
    private let folder: FilePath

    /// Reads the manifest in `folder` once and draws a sample of its outputs.
    ///
    /// - Parameter sampleCount: The number of outputs to make; nil for all.
    /// - Throws: If the manifest is not from one complete run.
    package init(
        of folder: FilePath, sampleCount: Int?, seed: UInt64
    ) throws(ManifestError) {
        self.folder = folder
        var reader = try ManifestReader(folder: folder)
        var whole = ManifestCheck(folder: folder)
        var options: RecordedOptions?
        var outputs = 0
        while let json = try reader.next() {
            try whole.see(json)
            options = options ?? RecordedOptions(json)
            if let record = ItemRecord(json) { outputs += record.outputs.count }
        }
        if let fault = whole.fault { throw .damaged(folder: "\(folder)", fault) }
        guard let options else {
            throw .damaged(folder: "\(folder)", "its run record has no options")
        }
        self.options = options
        self.outputs = outputs
        sample = sampleCount.map { Self.sample($0, of: outputs, seed: seed) }
    }

    package var count: Int { sample?.count ?? outputs }

    /// Returns `count` different indices below `total`, by the algorithm of Floyd.
    private static func sample(_ count: Int, of total: Int, seed: UInt64) -> Set<Int> {
        var random = SeededRandom(seed: seed)
        var chosen: Set<Int> = []
        for last in max(0, total - count)..<total {
            let index = Int.random(in: 0...last, using: &random)
            chosen.insert(chosen.contains(index) ? last : index)
        }
        return chosen
    }

    /// Makes the outputs again and passes each finding to `receive`, in any order.
    ///
    /// - Parameters:
    ///   - context: A run with the options of the record.
    ///   - folders: The folders that relative paths of sources are looked up in.
    package func run(
        _ context: RunContext, sourcesIn folders: [FilePath],
        receive: (ProofFinding) -> Void
    ) async throws(ManifestError) {
        let prover = Prover(
            context: context, folder: folder, sources: folders,
            isOfOtherVersion: options.isOfOtherVersion(in: folder) == true)
        var failure: ManifestError?
        await context.withExecutor {
            await withTaskGroup(of: [ProofFinding].self) { group in
                do throws(ManifestError) {
                    var reader = try ManifestReader(folder: folder)
                    var (index, width) = (0, context.rowsAtOnce)
                    while !Task.isCancelled, let record = try reader.nextItem() {
                        let outputs = chosen(of: record, from: index)
                        index += record.outputs.count
                        guard !outputs.isEmpty else { continue }
                        if width == 0 {
                            for finding in await group.next() ?? [] { receive(finding) }
                        } else {
                            width -= 1
                        }
                        group.addTask { await prover.findings(about: outputs, of: record) }
                    }
                } catch {
                    failure = error
                }
                for await findings in group {
                    for finding in findings { receive(finding) }
                }
            }
        }
        context.network.close()
        if let failure { throw failure }
    }

    /// Returns the outputs of an item that the sample contains. `first` is the position of its first
    /// output among all outputs of the run.
    private func chosen(of record: ItemRecord, from first: Int) -> [OutputRecord] {
        guard let sample else { return record.outputs }
        return record.outputs.enumerated().filter { sample.contains(first + $0.offset) }
            .map(\.element)
    }
}
