/// One case with all its measured runs.
package struct Series: Hashable, Sendable {
    /// A run from outside and from inside.
    package struct Sample: Hashable, Sendable {
        package var end: ProgramEnd
        package var figures: RunFigures

        package init(end: ProgramEnd, figures: RunFigures) {
            self.end = end
            self.figures = figures
        }
    }

    package let bench: BenchCase
    package var samples: [Sample] = []

    package init(_ bench: BenchCase, samples: [Sample] = []) {
        self.bench = bench
        self.samples = samples
    }

    /// Seconds of the whole process.
    package var seconds: Spread { Spread(samples.map(\.end.seconds)) }
    /// User and system seconds of all processes.
    package var cpuSeconds: Spread { Spread(samples.map(\.end.cpuSeconds)) }
    /// Rows of the list.
    package var items: Int { samples.first?.figures.items ?? 0 }
    /// Items without their own picture.
    package var withoutPicture: Int { samples.first?.figures.withoutPicture ?? 0 }
    /// Files that stand at the end.
    package var outputs: Int { samples.first?.figures.outputs ?? 0 }
    /// The sum of their sizes.
    package var bytesOut: Int { samples.first?.figures.bytesOut ?? 0 }
    /// The same for every run of the same work.
    package var digest: String { samples.first?.figures.digest ?? "" }
    /// In the run of median length.
    package var itemsPerSecond: Double {
        seconds.median > 0 ? Double(items) / seconds.median : 0
    }
    /// Thousandths of a second of all processors for one item.
    package var cpuMillisecondsPerItem: Double {
        items > 0 ? cpuSeconds.median * 1000 / Double(items) : 0
    }

    /// The latency of each stage that any run timed: of every figure the median over the runs.
    package var stages: [RunFigures.Stage] {
        guard let first = samples.first else { return [] }
        return first.figures.stages.map { stage in
            let alike = samples.compactMap { sample in
                sample.figures.stages.first { $0.name == stage.name }
            }
            var merged = stage
            for column in RunFigures.columns {
                merged.milliseconds[column] =
                    Spread(alike.compactMap { $0.milliseconds[column] }).median
            }
            return merged
        }
    }

    /// How many times as fast as the first of its pairs, run by run: the median of the ratios.
    package func speed(against other: Series) -> Double {
        Spread(
            zip(samples, other.samples).map { mine, theirs in
                mine.end.seconds > 0 ? theirs.end.seconds / mine.end.seconds : 0
            }
        ).median
    }
}
