import Glibc
import Notation
import Synchronization

/// A descriptor that text is written to, with every error seen.
///
/// Pieces are collected up to 64 KB; `flush` at the end is what makes them arrive, and what
/// reports a full disk. After an error everything else is dropped and the error thrown again.
package final class OutputStream: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var failure: OutputError?
    }

    private let descriptor: Int32
    private let limit: Int
    private let state = Mutex(State())

    /// Collects at most `limit` bytes; zero writes every piece at once.
    package init(descriptor: Int32, limit: Int = 65_536) {
        self.descriptor = descriptor
        self.limit = limit
    }

    /// Standard output.
    package static let standard = OutputStream(descriptor: 1)

    /// Takes a text; throws what any earlier piece met.
    package func write(_ text: String) throws(OutputError) {
        try write(Array(text.utf8))
    }

    /// Takes bytes as they are; throws what any earlier piece met.
    package func write(_ bytes: [UInt8]) throws(OutputError) {
        let failure = state.withLock { state in
            if state.failure == nil {
                state.pending.append(contentsOf: bytes)
                if state.pending.count >= limit { send(&state) }
            }
            return state.failure
        }
        if let failure { throw failure }
    }

    /// Sends what was collected; throws if anything since the start was lost.
    package func flush() throws(OutputError) {
        let failure = state.withLock { state in
            send(&state)
            return state.failure
        }
        if let failure { throw failure }
    }

    private func send(_ state: inout State) {
        var done = 0
        while done < state.pending.count, state.failure == nil {
            let count = unsafe state.pending.withUnsafeBytes { bytes in
                unsafe Glibc.write(
                    descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                wait(&state)
            } else if errno != EINTR {
                state.failure = OutputError(code: errno)
            }
        }
        state.pending.removeAll(keepingCapacity: true)
    }

    /// Another process may have made the shared terminal non-blocking.
    private func wait(_ state: inout State) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if unsafe poll(&waiting, 1, 1000) < 0, errno != EINTR {
            state.failure = OutputError(code: errno)
        }
    }
}

/// Standard error: what it cannot take is lost, since there is nobody left to tell.
package struct MessageStream: Sendable {
    /// The weight of a line.
    package enum Level: String, Sendable {
        case note, warning, error
    }

    /// The form of the lines, shared by all copies: a configuration file may choose it late.
    private final class Form: Sendable {
        let isJSON = Atomic(false)
    }

    private let stream: OutputStream
    private let program: String
    private let form = Form()
    private let hide: @Sendable (String) -> String

    /// Writes every piece at once.
    ///
    /// - Parameters:
    ///   - program: the name before a line with a level, which JSON leaves out.
    ///   - hide: removes from each line what must not be shown.
    package init(
        descriptor: Int32 = 2, program: String = "",
        hide: @escaping @Sendable (String) -> String = { $0 }
    ) {
        stream = OutputStream(descriptor: descriptor, limit: 0)
        self.program = program
        self.hide = hide
    }

    /// Whether every line is a JSON object.
    package var isJSON: Bool { form.isJSON.load(ordering: .relaxed) }

    /// Writes every line from now on as a JSON object.
    package func useJSON() { form.isJSON.store(true, ordering: .relaxed) }

    /// Text of ours, escape sequences and all.
    package func write(_ text: String) {
        do throws(OutputError) {
            try stream.write(text)
        } catch {
            // Nothing can be said about it on the stream that failed.
            return
        }
    }

    /// Writes a line that may hold text from outside: line breaks in it stay, all other hidden
    /// characters are made visible. As JSON, `{"type":"message","level":…,"text":…}`.
    ///
    /// - Parameter level: put before the text, after the program; nil for a line of a summary or
    ///   a table, which is a note in JSON.
    package func line(_ text: String, _ level: Level? = nil) {
        guard !isJSON else {
            return object { json in
                json.member("type", "message")
                json.member("level", (level ?? .note).rawValue)
                json.member("text", hide(text))
            }
        }
        let shown = level.map { "\(program): \($0.rawValue): \(text)" } ?? text
        let lines = hide(shown).split(separator: "\n", omittingEmptySubsequences: false)
        write(lines.map { PrintableText.escaped(String($0)) }.joined(separator: "\n") + "\n")
    }

    /// A line with a JSON object, whatever the form of the other lines.
    package func object(_ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object(members)
        json.endLine()
        write(String(decoding: json.take(), as: UTF8.self))
    }
}

/// Why text did not arrive.
package enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reader went away, as `head` does when it has enough: no fault of anybody.
    case readerGone
    /// The device refused, with its `errno`.
    case device(code: Int32)

    /// The case for the `errno` of a write that failed.
    package init(code: Int32) {
        self = code == EPIPE ? .readerGone : .device(code: code)
    }

    /// 0 for a reader that had enough, 74 for a device that failed.
    package var exitCode: Int32 {
        switch self {
        case .readerGone: 0
        case .device: 74
        }
    }

    /// What happened, as part of a sentence.
    package var description: String {
        switch self {
        case .readerGone: "the reader closed the output"
        case .device(let code):
            "cannot write the output: \(unsafe String(cString: strerror(code)))"
        }
    }
}
