import Gauge
import Glibc
import Notation
import Support
import System
import Testing

@Suite struct TraceFileTests {
    @Test("a trace of many events from many tasks is one JSON document")
    func document() async throws {
        let folder = try ScratchFolder()
        let path = folder.path("trace")
        let trace = try TraceFile(path: path, start: 1_000)
        await withTaskGroup { group in
            for track in 0..<4 {
                group.addTask {
                    for index in UInt64(0)..<500 {
                        trace.record(
                            TraceFile.Span(
                                "\"\(index)\" x\u{1B}", from: 1_000 + index * 1_000,
                                nanoseconds: 500),
                            status: "ok", failure: nil,
                            stages: [TraceFile.Span("decode", from: 500, nanoseconds: 1)],
                            track: track)
                    }
                }
            }
        }
        try trace.close()
        try trace.close()
        Self.record("late", in: trace)
        let bytes = try folder.read("trace")
        let json = try JSONParser.parse(bytes.span)
        let events = try #require(json["traceEvents"]?.elements)
        #expect(events.count == 4_000)
        #expect(events[0]["ph"]?.stringValue == "X" && events[0]["dur"]?.doubleValue == 0.5)
        #expect(events[0]["args"]?["status"] == "ok")
        #expect(events[1]["name"] == "decode" && events[1]["ts"]?.intValue == 0)
    }

    private static func record(_ name: String, in trace: TraceFile, failure: String? = nil) {
        let begin = MonotonicClock.now
        trace.record(
            TraceFile.Span(name, from: begin, nanoseconds: 2_000_000), status: "ok",
            failure: failure,
            stages: [TraceFile.Span("decode", from: begin, nanoseconds: 1_000_000)], track: 0)
    }

    /// Returns the spans of an OTLP file of two items, the second one failed.
    private func spans(parent: SpanContext?) throws -> [JSON] {
        let folder = try ScratchFolder()
        let path = folder.path("trace")
        let trace = try TraceFile(
            path: path, start: MonotonicClock.now,
            format: .openTelemetry(parent: parent, version: "1"))
        Self.record("a", in: trace)
        Self.record("b", in: trace, failure: "not_found")
        try trace.close()
        let lines = try folder.read("trace").split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 3)
        return try lines.flatMap { line in
            let json = try JSONParser.parse(Array(line).span)
            let resource = try #require(json["resourceSpans"]?.elements?.first)
            #expect(
                resource["resource"]?["attributes"]?.elements?.first?["value"]?["stringValue"]
                    == "emblem")
            return resource["scopeSpans"]?.elements?.first?["spans"]?.elements ?? []
        }
    }

    @Test("the OTLP spans of items are children of the run, and stages of their item")
    func openTelemetry() throws {
        let found = try spans(parent: nil)
        #expect(found.map { $0["name"] } == ["a", "decode", "b", "decode", "emblem run"])
        let ids = found.map { $0["spanId"]?.stringValue ?? "" }
        #expect(Set(ids).count == 5 && ids.allSatisfy { $0.count == 16 })
        let trace = try #require(found[0]["traceId"]?.stringValue)
        #expect(trace.count == 32 && found.allSatisfy { $0["traceId"]?.stringValue == trace })
        let parents = found.map { $0["parentSpanId"]?.stringValue }
        #expect(parents == [ids[4], ids[0], ids[4], ids[2], nil])
        #expect(found[2]["status"]?["code"] == 2 && found[2]["status"]?["message"] == "not_found")
        #expect(found[0]["status"] == nil)
        for span in found {
            let begin = try #require(span["startTimeUnixNano"]?.stringValue.flatMap { Int64($0) })
            let end = try #require(span["endTimeUnixNano"]?.stringValue.flatMap { Int64($0) })
            #expect(begin <= end)
            #expect(abs(begin / 1_000_000 - WallClock.nowMilliseconds) < 600_000)
        }
    }

    @Test("a run with TRACEPARENT belongs to its trace")
    func traceParent() throws {
        let trace = String(repeating: "0af7651916cd43dd", count: 2)
        let parent = try #require(
            SpanContext(traceparent: "00-\(trace)-b7ad6b7169203331-01"))
        let found = try spans(parent: parent)
        #expect(found.allSatisfy { $0["traceId"]?.stringValue == trace })
        #expect(found[4]["parentSpanId"] == "b7ad6b7169203331")
        #expect(SpanContext(traceparent: "01-\(trace)-b7ad6b7169203331-01-future") != nil)
        for text in [
            "", "00-\(trace)-b7ad6b7169203331", "ff-\(trace)-b7ad6b7169203331-01",
            "00-\(trace)-0000000000000000-01", "00-\(trace.uppercased())-b7ad6b7169203331-01",
            "00-\(trace)-b7ad6b7169203331-01-x", "00-\(trace)é-b7ad6b7169203331-01",
        ] {
            #expect(SpanContext(traceparent: text) == nil, "\(text)")
        }
    }

    @Test("an empty trace is a complete JSON document")
    func empty() throws {
        let folder = try ScratchFolder()
        let path = folder.path("trace")
        try TraceFile(path: path, start: 0).close()
        let bytes = try folder.read("trace")
        #expect(try parsed(bytes)["traceEvents"]?.elements?.isEmpty == true)
        _ = try TraceFile(path: path, start: 0)
    }

    @Test("a full disk is reported at the end of a trace, and an open error at once")
    func full() throws {
        let trace = try TraceFile(path: "/dev/full", start: 0)
        for index in 0..<5_000 { Self.record("x\(index)", in: trace) }
        #expect(throws: TraceError(code: ENOSPC)) { try trace.close() }
        #expect(throws: TraceError(code: ENOENT)) { try TraceFile(path: "/nowhere/x", start: 0) }
        #expect(TraceError(code: ENOSPC).description.contains("No space"))
    }

    private func parsed(_ bytes: [UInt8]) throws -> JSON {
        try JSONParser.parse(bytes.span)
    }
}

@Suite struct OpenMetricsTests {
    @Test("metric families have type, unit, help and samples, and the text has its end mark")
    func text() {
        let table = StageTable(stages: ["decode", "idle"])
        table.record("decode", nanoseconds: 2_000_000_000)
        let metrics = [
            Metric(
                "emblem_items", .counter, help: "Items by \"status\"\nand \\.",
                [
                    Metric.Sample(3, labels: [Metric.Label("status", "o\"k\\\n")])
                ]),
            Metric("emblem_peak_bytes", .gauge, unit: "bytes", help: "Peak.", [Metric.Sample(1.5)]),
            Metric(
                "emblem_build", .info, help: "Build.",
                [
                    Metric.Sample(1, labels: [Metric.Label("version", "0.1.0")])
                ]),
            Metric(
                "emblem_odd", .gauge, help: "",
                [.infinity, -.infinity, .nan].map { Metric.Sample($0) }),
            Metric.latency("emblem_stage_seconds", help: "Stages.", table.summaries()),
        ]
        #expect(
            OpenMetrics.text(metrics) == #"""
                # TYPE emblem_items counter
                # HELP emblem_items Items by \"status\"\nand \\.
                emblem_items_total{status="o\"k\\\n"} 3
                # TYPE emblem_peak_bytes gauge
                # UNIT emblem_peak_bytes bytes
                # HELP emblem_peak_bytes Peak.
                emblem_peak_bytes 1.5
                # TYPE emblem_build info
                # HELP emblem_build Build.
                emblem_build_info{version="0.1.0"} 1
                # TYPE emblem_odd gauge
                # HELP emblem_odd 
                emblem_odd +Inf
                emblem_odd -Inf
                emblem_odd NaN
                # TYPE emblem_stage_seconds summary
                # UNIT emblem_stage_seconds seconds
                # HELP emblem_stage_seconds Stages.
                emblem_stage_seconds{stage="decode",quantile="0.5"} 2
                emblem_stage_seconds{stage="decode",quantile="0.9"} 2
                emblem_stage_seconds{stage="decode",quantile="0.99"} 2
                emblem_stage_seconds{stage="decode",quantile="0.999"} 2
                emblem_stage_seconds_sum{stage="decode"} 2
                emblem_stage_seconds_count{stage="decode"} 1
                # EOF

                """#)
    }
}
