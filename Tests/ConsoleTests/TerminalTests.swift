import Console
import Glibc
import Testing

@Suite struct TerminalTests {
    @Test("only a real terminal that is neither dumb nor plain has animation")
    func facts() {
        func terminal(_ environment: [String: String], columns: Int? = 120) -> Terminal {
            Terminal(isTerminal: true, systemColumns: columns, environment: environment)
        }
        let xterm = terminal(["TERM": "xterm", "NO_COLOR": ""])
        #expect(xterm.allowsAnimation && xterm.columns == 120)
        #expect(!terminal(["TERM": "xterm", "NO_COLOR": "1"]).allowsAnimation)
        let dumb = terminal(["TERM": "dumb", "COLUMNS": "60"], columns: 0)
        #expect(!dumb.allowsAnimation && dumb.columns == 60)
        let bare = terminal(["COLUMNS": "x"], columns: nil)
        #expect(!bare.allowsAnimation && bare.columns == 80)
        let piped = Terminal(
            isTerminal: false, systemColumns: nil, environment: ["TERM": "xterm"])
        #expect(!piped.allowsAnimation)
    }
}

@Suite struct OutputStreamTests {
    @Test("text is written in order when it is flushed or when the buffer is full")
    func arrives() throws {
        let pipe = try Pipe()
        let stream = OutputStream(descriptor: pipe.writing, limit: 8)
        try stream.write("abc")
        #expect(pipe.waiting() == "")
        try stream.write("defghi")
        #expect(pipe.waiting() == "abcdefghi")
        try stream.write("j")
        try stream.flush()
        #expect(pipe.waiting() == "j")
        try stream.flush()
    }

    @Test("a closed reader is distinguished from a full disk")
    func errors() throws {
        StandardStreams.prepare()
        let pipe = try Pipe()
        pipe.closeReading()
        let gone = OutputStream(descriptor: pipe.writing)
        try gone.write("x")
        #expect(throws: OutputError.readerGone) { try gone.flush() }
        #expect(throws: OutputError.readerGone) { try gone.write("more") }
        #expect(OutputError.readerGone.exitCode == 0)
        let device = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(device) }
        let full = OutputStream(descriptor: device, limit: 0)
        #expect(throws: OutputError.device(code: ENOSPC)) { try full.write("x") }
        #expect(OutputError(code: ENOSPC).exitCode == 74 && OutputError(code: EPIPE) == .readerGone)
        #expect(
            OutputError(code: ENOSPC).description.contains("No space")
                && !OutputError.readerGone.description.isEmpty)
        // The write fails silently, because there is no other place for a message.
        MessageStream(descriptor: device).line("lost")
    }

    @Test("a slow reader of a nonblocking pipe receives all text")
    func slow() async throws {
        let pipe = try Pipe()
        _ = fcntl(pipe.writing, F_SETFL, fcntl(pipe.writing, F_GETFL) | O_NONBLOCK)
        let text = String(repeating: "0123456789abcdef", count: 32_768)
        let writing = pipe.writing
        async let sent: Void = OutputStream(descriptor: writing).write(text)
        var count = 0
        while count < text.utf8.count {
            count += pipe.waiting().utf8.count
            // Yield, because writer and reader may share one thread.
            await Task.yield()
        }
        try await sent
        #expect(count == text.utf8.count)
    }

    @Test("messages escape control characters and keep their lines")
    func messages() throws {
        let pipe = try Pipe()
        MessageStream(descriptor: pipe.writing).line("a\u{1B}[2J\nb")
        #expect(pipe.waiting() == "a\\u{1b}[2J\nb\n")
        MessageStream(descriptor: pipe.writing, program: "tool").line("c", .note)
        #expect(pipe.waiting() == "tool: note: c\n")
        MessageStream(descriptor: pipe.writing).write("\u{1B}[K")
        #expect(pipe.waiting() == "\u{1B}[K")
    }

    @Test("JSON messages are one object a line without the program name")
    func jsonMessages() throws {
        let pipe = try Pipe()
        let messages = MessageStream(descriptor: pipe.writing, program: "tool")
        let copy = messages
        messages.useJSON()
        copy.line("a\nb", .error)
        #expect(
            pipe.waiting() == #"{"type":"message","level":"error","text":"a\nb"}"# + "\n")
    }
}

/// Both ends of a pipe, closed at the end.
final class Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let result = unsafe ends.withUnsafeMutableBufferPointer { ends -> Int32 in
            guard let base = ends.baseAddress else { return -1 }
            return unsafe pipe(base)
        }
        try #require(result == 0)
        reading = ends[0]
        writing = ends[1]
        _ = fcntl(reading, F_SETFL, fcntl(reading, F_GETFL) | O_NONBLOCK)
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Replaces the reading end of the pipe by a descriptor that cannot be read from.
    func closeReading() {
        let nothing = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(nothing, reading)
        close(nothing)
    }

    /// Returns the text that was written and not read yet.
    func waiting() -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe read(reading, $0.baseAddress, $0.count)
        }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
