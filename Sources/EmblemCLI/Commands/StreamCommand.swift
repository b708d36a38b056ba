import Batch
import Console
import Engine
import Flags
import Stream
import Transport
import Worker

extension CommandContext {
    /// `emblem stream`: reads rows on standard input and writes framed records to standard output.
    func stream() async throws -> Int32 {
        let settings = try RunSettings(self)
        let template = try NameTemplate(for: settings, arguments)
        guard !Terminal.at(1, environment: environment).isTerminal else {
            throw UsageError(
                "refusing to write images to a terminal.",
                remedy: "Redirect the output, as in 'emblem stream < rows > frames'.")
        }
        try checkIsolation()
        try await checkPlaceholder(of: settings)
        let signals = StopSignals()
        let run = StreamRun(
            runContext(settings), template, dialect: try dialect(),
            writesSummary: arguments[Options.summary])
        signals.onFirst { run.stop() }
        let ending = await run.run()
        // A signal has precedence over every other result.
        if let code = signals.exitCode { return code }
        switch ending {
        case .finished: return hasTooManyFailures(run.counts) ? 1 : 0
        case .stopped: return 143
        case .broken(let error): throw CommandFailure(65, "\(error)")
        // Rows without their frames are lost, even if the reader has only closed the pipe.
        case .unwritable(let error): throw OutputError.device(code: error.code)
        case .workers(let error): throw error
        case .noThreads:
            throw CommandFailure(
                74,
                "the system refuses to start threads; raise `ulimit -u`")
        }
    }
}
