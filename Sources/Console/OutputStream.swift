import Glibc
import Notation
import Synchronization

/// A text output to a descriptor that reports every error.
///
/// Text is collected in a buffer of 64 KB. `flush` must be called at the end; it writes the
/// remaining text and reports an error such as a full disk. After an error all further text is
/// discarded and the error is thrown again.
package final class OutputStream: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var failure: OutputError?
    }

    private let descriptor: Int32
    private let limit: Int
    private let state = Mutex(State())

    /// Creates a stream that collects at most `limit` bytes; 0 writes every piece at once.
    package init(descriptor: Int32, limit: Int = 65_536) {
        self.descriptor = descriptor
        self.limit = limit
    }

    package static let standard = OutputStream(descriptor: 1)

    /// Adds a text; throws any earlier error of the stream.
    package func write(_ text: String) throws(OutputError) {
        try write(Array(text.utf8))
    }

    /// Adds bytes; throws any earlier error of the stream.
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

    /// Writes the collected bytes; throws if any bytes since the start were lost.
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

    /// Waits until the descriptor accepts more bytes.
    ///
    /// Another process may have made the shared terminal non-blocking.
    private func wait(_ state: inout State) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if unsafe poll(&waiting, 1, 1000) < 0, errno != EINTR {
            state.failure = OutputError(code: errno)
        }
    }
}

/// Standard error. Text that cannot be written is lost, since there is no other place to report it.
package struct MessageStream: Sendable {
    package enum Level: String, Sendable {
        case note, warning, error
    }

    /// The form of the lines. All copies of the stream share it, since a configuration file may set
    /// it after copies were made.
    private final class Form: Sendable {
        let isJSON = Atomic(false)
        let isOnRunner = Atomic(false)
    }

    private let stream: OutputStream
    private let program: String
    private let form = Form()
    private let hide: @Sendable (String) -> String

    /// Creates a stream that writes every piece at once.
    ///
    /// - Parameters:
    ///   - program: the name before a line with a level, which JSON omits.
    ///   - hide: removes secrets from each line.
    package init(
        descriptor: Int32 = 2, program: String = "",
        hide: @escaping @Sendable (String) -> String = { $0 }
    ) {
        stream = OutputStream(descriptor: descriptor, limit: 0)
        self.program = program
        self.hide = hide
    }

    package var isJSON: Bool { form.isJSON.load(ordering: .relaxed) }

    package func useJSON() { form.isJSON.store(true, ordering: .relaxed) }

    /// Makes lines harmless for the runner of GitHub Actions, which runs some of them as commands.
    package func guardForRunner() { form.isOnRunner.store(true, ordering: .relaxed) }

    /// Returns untrusted text of one line, harmless for the runner of GitHub Actions if it reads
    /// the output.
    package func guarded(_ line: String) -> String {
        form.isOnRunner.load(ordering: .relaxed) ? GitHubCommand.printable(line) : line
    }

    /// Writes text of the program itself, including escape sequences.
    package func write(_ text: String) {
        // The stream that failed cannot report its own error.
        try? stream.write(text)
    }

    /// Writes a line that may contain untrusted text: line breaks stay, all other invisible
    /// characters are escaped. As JSON: `{"type":"message","level":…,"text":…}`.
    ///
    /// - Parameter level: precedes the text, after the program. Nil is for lines of a summary or
    ///   table, which are notes in JSON.
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
        write(
            lines.map { guarded(PrintableText.escaped(String($0))) }.joined(separator: "\n") + "\n")
    }

    /// Writes a line with a JSON object, independent of the form of other lines.
    package func object(_ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object(members)
        json.endLine()
        write(String(decoding: json.take(), as: UTF8.self))
    }
}

package enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reader has closed the pipe, as `head` does when it has enough; not an error.
    case readerGone
    /// The device failed with this `errno`.
    case device(code: Int32)

    package init(code: Int32) {
        self = code == EPIPE ? .readerGone : .device(code: code)
    }

    /// 0 for a closed pipe, 74 for a device that failed.
    package var exitCode: Int32 {
        switch self {
        case .readerGone: 0
        case .device: 74
        }
    }

    /// The cause, as part of a sentence.
    package var description: String {
        switch self {
        case .readerGone: "the reader closed the output"
        case .device(let code):
            "cannot write the output: \(unsafe String(cString: strerror(code)))"
        }
    }
}
