import Transport

/// Runs the cases in turn, so that what the machine does meanwhile meets them alike.
///
/// A round runs every case once, and every other round backwards. Runs before the first round warm
/// the disk's cache and are thrown away.
package struct BenchRunner: Sendable {
    private let cases: [BenchCase]
    private let rounds: Int
    private let warmups: Int
    private let folder: BenchFolder
    private let desk: ChildRunner
    private let base: BaseRecord?
    private let note: @Sendable (String) -> Void

    /// - Parameters:
    ///   - base: The record whose cases must have as many items; nil where that does not matter.
    ///   - note: Receives a line about the current work, once a round.
    package init(
        _ cases: [BenchCase], rounds: Int, warmups: Int, folder: BenchFolder, desk: ChildRunner,
        base: BaseRecord?, note: @escaping @Sendable (String) -> Void
    ) {
        self.cases = cases
        self.rounds = rounds
        self.warmups = warmups
        self.folder = folder
        self.desk = desk
        self.base = base
        self.note = note
    }

    /// All runs of all cases, in the order of the cases.
    package func run() throws(BenchError) -> [Series] {
        var all = cases.map { Series($0) }
        for (index, bench) in cases.enumerated() where bench.standsAlready {
            note("a first run for \(bench.title)")
            _ = try measure(index, keeping: true)
        }
        for turn in 0..<warmups + rounds {
            let isWarmUp = turn < warmups
            note(isWarmUp ? "warming up" : "round \(turn - warmups + 1) of \(rounds)")
            let order = Array(cases.indices)
            for index in turn % 2 == 0 ? order : order.reversed() {
                let sample = try measure(index, keeping: cases[index].standsAlready)
                guard !isWarmUp else { continue }
                all[index].samples.append(sample)
                try compareDigests(all, index)
            }
        }
        return all
    }

    private func measure(_ index: Int, keeping: Bool) throws(BenchError) -> Series.Sample {
        let bench = cases[index]
        let output = folder.path("out-\(index)")
        if !keeping { folder.remove("out-\(index)") }
        let log = folder.path("log")
        let end = try desk.run(["batch", "-o", output] + bench.words, output: log)
        // 1 says that an item has no output, which is how it was and will be in every run.
        guard end.exitCode == 0 || end.exitCode == 1 else {
            throw .runFailed(end.exitCode, lastWords(log), RunFigures.errors(folder: output))
        }
        let figures = try RunFigures(folder: output)
        if let items = base?.result(for: bench)?.items, items != figures.items {
            throw .otherItems(figures.items, base: items)
        }
        return Series.Sample(end: end, figures: figures)
    }

    /// Jobs and isolation change no output, so all cases that are asked for the same have the same.
    private func compareDigests(_ all: [Series], _ index: Int) throws(BenchError) {
        guard let last = all[index].samples.last else { return }
        for other in all where other.samples.first.map({ $0.figures.digest }) != nil {
            guard other.digest == last.figures.digest else {
                throw .outputsDiffer(cases[index].title)
            }
        }
    }

    private func lastWords(_ log: String) -> String {
        do throws(IntakeError) {
            let bytes = try FileIntake.read(FilePath(log), bytesLimit: 1 << 20).bytes
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            return lines.suffix(3).joined(separator: "\n").replacing("emblem: error: ", with: "")
        } catch {
            return ""
        }
    }
}
