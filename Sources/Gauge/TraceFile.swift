import Glibc
import Notation
import Synchronization
import System

/// A trace of a run, written during the run.
///
/// Events of all tasks pass through one buffer of 64 KB. The first write error is stored and thrown
/// at the end, so that a full disk costs the trace but not the run.
package final class TraceFile: Sendable {
    package enum Format: Sendable {
        /// One JSON document for Chrome's trace viewer and Perfetto.
        case chrome
        /// Requests of OTLP in JSON, one per line. The span of the run is a child of `parent`.
        case openTelemetry(parent: SpanContext?, version: String)
    }

    /// A piece of work; `begin` is a reading of the monotonic clock.
    package struct Span: Sendable {
        package var name: String
        package var begin: UInt64
        package var nanoseconds: UInt64

        package init(_ name: String, from begin: UInt64, nanoseconds: UInt64) {
            self.name = name
            self.begin = begin
            self.nanoseconds = nanoseconds
        }
    }

    private struct State {
        var writer = JSONWriter()
        var pending: [UInt8] = []
        var isFirst = true
        var failure: TraceError?
        var isClosed = false
    }

    private let descriptor: Int32
    private let start: UInt64
    private let format: Format
    private let run: SpanContext
    /// The difference between the time of day and the monotonic clock, in nanoseconds.
    private let clockOffset: UInt64
    private let state = Mutex(State())

    /// Takes ownership of a descriptor open for writing. Times of Chrome's format are relative to
    /// `start`, a reading of the monotonic clock.
    package init(descriptor: Int32, start: UInt64, format: Format = .chrome) {
        self.descriptor = descriptor
        self.start = start
        self.format = format
        let now = UInt64(bitPattern: WallClock.nowMilliseconds) &* 1_000_000
        clockOffset = now &- MonotonicClock.now
        if case .openTelemetry(let parent, _) = format {
            run = SpanContext(trace: parent?.trace ?? SpanContext.random(digits: 32))
        } else {
            run = SpanContext(trace: "")
            state.withLock {
                $0.pending = Array("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n".utf8)
            }
        }
    }

    /// Creates or replaces the file at `path`. A pipe must already have a reader.
    package convenience init(
        path: String, start: UInt64, format: Format = .chrome
    ) throws(TraceError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK
        let descriptor = unsafe open(path, flags, 0o644)
        guard descriptor >= 0 else { throw TraceError(code: errno) }
        _ = fcntl(descriptor, F_SETFL, O_WRONLY)
        self.init(descriptor: descriptor, start: start, format: format)
    }

    deinit {
        if !state.withLock({ $0.isClosed }) { _ = Glibc.close(descriptor) }
    }

    /// Records an item with its stages.
    ///
    /// - Parameters:
    ///   - track: The row of the item in Chrome's viewer.
    ///   - failure: The error class of an item without its own image.
    package func record(
        _ item: Span, status: String, failure: String?, stages: [Span], track: Int
    ) {
        state.withLock { state in
            guard state.failure == nil, !state.isClosed else { return }
            switch format {
            case .chrome:
                write(event: item, track, status: status, to: &state)
                for stage in stages { write(event: stage, track, status: nil, to: &state) }
            case .openTelemetry(_, let version):
                let context = SpanContext(trace: run.trace)
                state.writer.object { json in
                    write(request: version, into: &json) { json in
                        write(
                            item, context, parent: run.span, failure,
                            [("emblem.status", status)]
                                + (failure.map { [("error.type", $0)] } ?? []),
                            into: &json)
                        for stage in stages {
                            write(
                                stage, SpanContext(trace: run.trace), parent: context.span, nil, [],
                                into: &json)
                        }
                    }
                }
                endLine(&state)
            }
            if state.pending.count >= 65_536 { flush(&state) }
        }
    }

    /// Completes and closes the file. Throws the first write error of the run.
    package func close() throws(TraceError) {
        let failure: TraceError? = state.withLock { state in
            guard !state.isClosed else { return state.failure }
            state.isClosed = true
            finish(&state)
            flush(&state)
            if Glibc.close(descriptor) != 0, state.failure == nil {
                state.failure = TraceError(code: errno)
            }
            return state.failure
        }
        if let failure { throw failure }
    }

    private func finish(_ state: inout State) {
        guard case .openTelemetry(let parent, let version) = format else {
            return state.pending.append(contentsOf: "\n]}\n".utf8)
        }
        let span = Span(
            "emblem run", from: start, nanoseconds: MonotonicClock.elapsed(since: start))
        state.writer.object { json in
            write(request: version, into: &json) { json in
                write(span, run, parent: parent?.span, nil, [], into: &json)
            }
        }
        endLine(&state)
    }

    // MARK: Chrome

    private func write(event span: Span, _ track: Int, status: String?, to state: inout State) {
        state.writer.object { json in
            json.member("name", span.name)
            json.member("ph", "X")
            json.member("pid", 1)
            json.member("tid", track)
            json.member("ts", span.begin > start ? Double(span.begin - start) / 1000 : 0)
            json.member("dur", Double(span.nanoseconds) / 1000)
            if let status { json.object("args") { $0.member("status", status) } }
        }
        if !state.isFirst { state.pending.append(contentsOf: ",\n".utf8) }
        state.isFirst = false
        state.pending.append(contentsOf: state.writer.take())
    }

    // MARK: OpenTelemetry

    private func endLine(_ state: inout State) {
        state.pending.append(contentsOf: state.writer.take())
        state.pending.append(UInt8(ascii: "\n"))
    }

    /// Writes the members of an OTLP request. `body` writes the spans.
    private func write(
        request version: String, into json: inout JSONWriter, _ body: (inout JSONWriter) -> Void
    ) {
        json.array("resourceSpans") { json in
            json.object { json in
                json.object("resource") { json in
                    write(
                        [("service.name", "emblem"), ("service.version", version)], into: &json)
                }
                json.array("scopeSpans") { json in
                    json.object { json in
                        json.object("scope") { $0.member("name", "emblem") }
                        json.array("spans", body)
                    }
                }
            }
        }
    }

    private func write(
        _ span: Span, _ context: SpanContext, parent: String?, _ failure: String?,
        _ attributes: [(String, String)], into json: inout JSONWriter
    ) {
        let begin = span.begin &+ clockOffset
        json.object { json in
            json.member("traceId", context.trace)
            json.member("spanId", context.span)
            if let parent { json.member("parentSpanId", parent) }
            json.member("name", span.name)
            // SPAN_KIND_INTERNAL
            json.member("kind", 1)
            json.member("startTimeUnixNano", "\(begin)")
            json.member("endTimeUnixNano", "\(begin &+ span.nanoseconds)")
            write(attributes, into: &json)
            if let failure {
                json.object("status") { json in
                    // STATUS_CODE_ERROR
                    json.member("code", 2)
                    json.member("message", failure)
                }
            }
        }
    }

    private func write(_ attributes: [(String, String)], into json: inout JSONWriter) {
        guard !attributes.isEmpty else { return }
        json.array("attributes") { json in
            for (key, value) in attributes {
                json.object { json in
                    json.member("key", key)
                    json.object("value") { $0.member("stringValue", value) }
                }
            }
        }
    }

    private func flush(_ state: inout State) {
        var done = 0
        while done < state.pending.count, state.failure == nil {
            let count = unsafe state.pending.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                state.failure = TraceError(code: errno)
            }
        }
        state.pending.removeAll(keepingCapacity: true)
    }
}

/// The trace and the span of a piece of work, in lower-case hexadecimal digits.
package struct SpanContext: Hashable, Sendable {
    package let trace: String
    package let span: String

    /// Creates a new span of a trace.
    init(trace: String) {
        self.trace = trace
        span = Self.random(digits: 16)
    }

    /// Reads a `traceparent` of W3C Trace Context; nil if it is not one.
    package init?(traceparent text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff",
            parts[0] != "00" || parts.count == 4, parts[1].count == 32, parts[2].count == 16,
            parts[3].count == 2,
            parts[..<4].allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        trace = String(parts[1])
        span = String(parts[2])
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    static func random(digits: Int) -> String {
        var text = ""
        while text.count < digits {
            text += Hexadecimal.text(UInt32.random(in: 1 ... .max), width: 8)
        }
        return text
    }
}

package struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: Int32

    package init(code: Int32) {
        self.code = code
    }

    package var description: String {
        "the trace could not be written: \(unsafe String(cString: strerror(code)))"
    }
}
