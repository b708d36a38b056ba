import Glibc
import Notation
import Synchronization

/// A trace of a run for Chrome's trace viewer and Perfetto, written during the run.
///
/// Events of all tasks pass through one buffer of 64 KB. The first write error is stored and thrown
/// at the end, so that a full disk costs the trace but not the run.
package final class TraceFile: Sendable {
    private struct State {
        var writer = JSONWriter()
        var pending: [UInt8] = Array("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n".utf8)
        var isFirst = true
        var failure: TraceError?
        var isClosed = false
    }

    private let descriptor: Int32
    private let start: UInt64
    private let state = Mutex(State())

    /// Takes ownership of a descriptor open for writing. Times are relative to `start`, a reading
    /// of the monotonic clock.
    package init(descriptor: Int32, start: UInt64) {
        self.descriptor = descriptor
        self.start = start
    }

    /// Creates or replaces the file at `path`. A pipe must already have a reader.
    package convenience init(path: String, start: UInt64) throws(TraceError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK
        let descriptor = unsafe open(path, flags, 0o644)
        guard descriptor >= 0 else { throw TraceError(code: errno) }
        _ = fcntl(descriptor, F_SETFL, O_WRONLY)
        self.init(descriptor: descriptor, start: start)
    }

    deinit {
        if !state.withLock({ $0.isClosed }) { _ = Glibc.close(descriptor) }
    }

    /// Records a piece of work on a track; `begin` is a reading of the monotonic clock.
    package func span(
        _ name: String, track: Int, from begin: UInt64, nanoseconds: UInt64,
        arguments: [JSON.Member] = []
    ) {
        event(name, "X", track, at: begin) { writer in
            writer.member("dur", Double(nanoseconds) / 1000)
            if !arguments.isEmpty { writer.member("args", .object(arguments)) }
        }
    }

    /// Records a value that changes over time, drawn as a curve.
    package func counter(_ name: String, at moment: UInt64, _ values: [JSON.Member]) {
        event(name, "C", 0, at: moment) { $0.member("args", .object(values)) }
    }

    package func name(track: Int, _ name: String) {
        event("thread_name", "M", track, at: start) {
            $0.member("args", .object([JSON.Member("name", .string(name))]))
        }
    }

    /// Completes and closes the file. Throws the first write error of the run.
    package func close() throws(TraceError) {
        let failure: TraceError? = state.withLock { state in
            guard !state.isClosed else { return state.failure }
            state.isClosed = true
            state.pending.append(contentsOf: "\n]}\n".utf8)
            flush(&state)
            if Glibc.close(descriptor) != 0, state.failure == nil {
                state.failure = TraceError(code: errno)
            }
            return state.failure
        }
        if let failure { throw failure }
    }

    private func event(
        _ name: String, _ phase: String, _ track: Int, at moment: UInt64,
        _ rest: (inout JSONWriter) -> Void
    ) {
        state.withLock { state in
            guard state.failure == nil, !state.isClosed else { return }
            state.writer.beginObject()
            state.writer.member("name", name)
            state.writer.member("ph", phase)
            state.writer.member("pid", 1)
            state.writer.member("tid", track)
            state.writer.member("ts", moment > start ? Double(moment - start) / 1000 : 0)
            rest(&state.writer)
            state.writer.endObject()
            if !state.isFirst { state.pending.append(contentsOf: ",\n".utf8) }
            state.isFirst = false
            state.pending.append(contentsOf: state.writer.take())
            if state.pending.count >= 65_536 { flush(&state) }
        }
    }

    private func flush(_ state: inout State) {
        var done = 0
        while done < state.pending.count, state.failure == nil {
            let count = unsafe state.pending.withUnsafeBytes { bytes in
                unsafe write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
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

package struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: Int32

    package init(code: Int32) {
        self.code = code
    }

    package var description: String {
        "the trace could not be written: \(unsafe String(cString: strerror(code)))"
    }
}
