import Bench
import Codecs
import Notation
import Raster
import Testing

@Suite("Reports of a measurement")
struct BenchReportTests {
    @Test("a bench result begins like a result of hyperfine")
    func hyperfineShape() throws {
        let report = Made.report([Made.series(jobs: 2, seconds: [1, 3, 2])])
        let json = try JSONParser.parse(report.json().span)
        let result = try #require(json[path: ["results", "0"]] ?? json["results"]?.elements?.first)
        let names = try #require(result.members).map(\.name)
        #expect(
            names.prefix(12) == [
                "command", "mean", "stddev", "median", "user", "system", "min", "max", "times",
                "memory_usage_byte", "exit_codes", "parameters",
            ])
        #expect(result["median"]?.doubleValue == 2)
        #expect(result["times"]?.elements?.count == 3)
        #expect(result[path: ["parameters", "jobs"]]?.stringValue == "2")
        #expect(result[path: ["stages", "total", "p99_ms"]]?.doubleValue == 8)
        #expect(json["schema"]?.stringValue == "emblem.bench/1")
    }

    @Test("the bench table names every case, the command, and each stage")
    func table() {
        let text = Made.report([Made.series(jobs: 1), Made.series(jobs: 2)]).text
        #expect(text.contains("emblem batch in -o OUT --jobs 1\n"))
        #expect(text.contains("\n1 job ") && text.contains("\n2 jobs "))
        #expect(text.contains("\ntotal "))
    }

    @Test("pictures drawn for a bench preset are readable and the same each time")
    func pictures() throws {
        for kind in SampleKind.allCases {
            let first = try SamplePicture(kind, 0).bytes()
            #expect(try first == SamplePicture(kind, 0).bytes())
            #expect(try first != SamplePicture(kind, 7).bytes())
            let header = try ImageDecoder.header(of: first.span, limits: DecodeLimits())
            #expect(header.size.width >= 100)
        }
    }

    @Test("every bench preset has distinct pictures and a distinct name")
    func presets() {
        #expect(Set(Preset.all.map(\.name)).count == Preset.all.count)
        for preset in Preset.all {
            #expect(preset.pictures.values.reduce(0, +) > 0)
            #expect(Preset(name: preset.name) == preset)
        }
        #expect(Preset(name: "none such") == nil)
    }
}
