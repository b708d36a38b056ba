import Gauge
import Glibc
import Notation
import Testing

@Suite struct TraceFileTests {
    @Test("a trace of many events from many tasks is one JSON document")
    func document() async throws {
        let path = try #require(temporaryPath())
        defer { _ = unsafe unlink(path) }
        let trace = try TraceFile(path: path, start: 1_000)
        trace.name(track: 1, "renderer 1")
        await withTaskGroup { group in
            for track in 0..<4 {
                group.addTask {
                    for index in UInt64(0)..<1_000 {
                        trace.span(
                            "decode \"\(index)\"", track: track, from: 1_000 + index * 1_000,
                            nanoseconds: 500,
                            arguments: [JSON.Member("id", .string("x\u{1B}"))])
                    }
                }
            }
        }
        trace.counter("memory", at: 500, [JSON.Member("bytes", 5)])
        try trace.close()
        try trace.close()
        trace.span("late", track: 0, from: 0, nanoseconds: 0)
        let bytes = try #require(contents(path))
        let json = try JSONParser.parse(bytes.span)
        let events = try #require(json["traceEvents"]?.elements)
        #expect(events.count == 4_002)
        #expect(events[0]["ph"]?.stringValue == "M" && events[0]["args"]?["name"] == "renderer 1")
        #expect(events[1]["ph"]?.stringValue == "X" && events[1]["dur"]?.doubleValue == 0.5)
        #expect(events[4_001]["ts"]?.intValue == 0)
    }

    @Test("an empty trace is a document too, and closes by itself")
    func empty() throws {
        let path = try #require(temporaryPath())
        defer { _ = unsafe unlink(path) }
        try TraceFile(path: path, start: 0).close()
        let bytes = try #require(contents(path))
        #expect(try parsed(bytes)["traceEvents"]?.elements?.isEmpty == true)
        _ = try TraceFile(path: path, start: 0)
    }

    @Test("a full disk is told at the end, and what cannot be opened at once")
    func full() throws {
        let trace = try TraceFile(path: "/dev/full", start: 0)
        for index in 0..<5_000 { trace.span("x\(index)", track: 0, from: 0, nanoseconds: 1) }
        #expect(throws: TraceError(code: ENOSPC)) { try trace.close() }
        #expect(throws: TraceError(code: ENOENT)) { try TraceFile(path: "/nowhere/x", start: 0) }
        #expect(TraceError(code: ENOSPC).description.contains("No space"))
    }

    private func parsed(_ bytes: [UInt8]) throws -> JSON {
        try JSONParser.parse(bytes.span)
    }

    private func temporaryPath() -> String? {
        var template = Array("/tmp/emblem-trace-XXXXXX".utf8CString)
        let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return -1 }
            return unsafe mkstemp(base)
        }
        guard descriptor >= 0 else { return nil }
        close(descriptor)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func contents(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        return Array(bytes.prefix(max(0, count)))
    }
}

@Suite struct OpenMetricsTests {
    @Test("families carry type, unit, help and their samples, and the text its end mark")
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
