import Bench
import Notation

/// Sample measurements for tests.
enum Made {
    static func bench(jobs: Int) -> BenchCase {
        BenchCase(
            parameters: [.init("jobs", "\(jobs)"), .init("preset", "logos")], words: [],
            shown: "emblem batch in -o OUT --jobs \(jobs)")
    }

    /// Runs over ten items that wrote a thousand bytes.
    static func series(
        jobs: Int, seconds: [Double] = [1.0, 1.0, 1.0], withoutPicture: Int = 0
    ) -> Series {
        let stage = RunFigures.Stage(
            name: "total", count: 10,
            milliseconds: [
                "mean_ms": 3, "p50_ms": 2, "p90_ms": 4, "p99_ms": 8, "p999_ms": 9, "max_ms": 9.5,
            ])
        let figures = RunFigures(
            items: 10, withoutPicture: withoutPicture, outputs: 10, bytesIn: 5_000, bytesOut: 1_000,
            stages: [stage], digest: "d1",
            surroundings: [
                JSON.Member("tool", .string("emblem <&> 0")),
                JSON.Member(
                    "machine",
                    .object([
                        JSON.Member("cpu", .string("Made")),
                        JSON.Member("cores", .number(JSONNumber(2))),
                    ])),
            ])
        return Series(
            bench(jobs: jobs),
            samples: seconds.map { seconds in
                Series.Sample(
                    end: ProgramEnd(
                        seconds: seconds, userSeconds: seconds / 2, systemSeconds: seconds / 10,
                        peakResidentBytes: 50 << 20),
                    figures: figures)
            })
    }

    static func report(_ all: [Series]) -> BenchReport {
        BenchReport(preset: "logos", rounds: 3, all: all, createdAt: "2026-01-01")
    }
}
