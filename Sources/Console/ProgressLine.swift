import Synchronization

/// A display of a run's progress on standard error, at a readable rate.
///
/// Each call passes the time, in nanoseconds since the run began.
package final class ProgressLine: Sendable {
    /// The form of the progress.
    package enum Style: String, CaseIterable, Sendable {
        /// One line that is redrawn at most ten times a second.
        case terminal
        case plain
        case json
        case none
    }

    private struct State {
        var meter = RateMeter()
        var lastShown: UInt64?
        var isDrawn = false
        /// The number of items in the last line of the plain style.
        var lastDone: Int?
    }

    private let style: Style
    private let columns: @Sendable () -> Int
    private let send: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - columns: the width of the terminal, queried each time since a window can change.
    ///   - send: writes the text to standard error.
    package init(
        style: Style, columns: @escaping @autoclosure @Sendable () -> Int,
        send: @escaping @Sendable (String) -> Void
    ) {
        self.style = style
        self.columns = columns
        self.send = send
    }

    /// Returns the style for an option: `auto` redraws a line on terminals and writes lines
    /// elsewhere.
    package static func style(
        _ wish: String, terminal: Terminal, isQuiet: Bool
    ) -> Style {
        if isQuiet { return .none }
        switch wish {
        case "auto": return terminal.allowsAnimation ? .terminal : .plain
        case "github": return .plain
        default: return Style(rawValue: wish) ?? .none
        }
    }

    /// Shows the report if the last report is older than `interval`. A terminal shows the first
    /// report at once, as a sign of activity. Elsewhere lines stay in the output, so the first line
    /// is written when there is some progress.
    package func update(_ report: ProgressReport, at elapsed: UInt64) {
        let text = state.withLock { state -> String? in
            state.meter.note(done: report.done, at: elapsed)
            if let last = state.lastShown, elapsed < last &+ interval { return nil }
            let isIdle = report.done == 0 && report.inFlight == 0 && elapsed < interval
            if style == .plain, state.lastShown == nil, isIdle { return nil }
            state.lastShown = elapsed
            return shown(report, &state, at: elapsed)
        }
        if let text { send(text) }
    }

    /// Erases the drawn line before a message; the next update draws it again.
    package func interrupt() {
        let wasDrawn = state.withLock { state in
            guard state.isDrawn else { return false }
            state.lastShown = nil
            state.isDrawn = false
            return true
        }
        if wasDrawn { send("\r\u{1B}[K") }
    }

    /// Shows the last report and ends the line.
    package func finish(_ report: ProgressReport, at elapsed: UInt64) {
        let text = state.withLock { state -> String? in
            state.meter.note(done: report.done, at: elapsed)
            guard let text = shown(report, &state, at: elapsed) else { return nil }
            state.isDrawn = false
            return style == .terminal ? text + "\n" : text
        }
        if let text { send(text) }
    }

    private var interval: UInt64 {
        switch style {
        case .terminal: 100_000_000
        case .json: 1_000_000_000
        case .plain, .none: 5_000_000_000
        }
    }

    private func shown(
        _ report: ProgressReport, _ state: inout State, at elapsed: UInt64
    ) -> String? {
        let seconds = Double(elapsed) / 1e9
        // The last line shows the rate of the whole run.
        let whole = seconds > 0 && report.done > 0 ? Double(report.done) / seconds : nil
        let isOver = report.done >= report.total
        let rate = isOver ? whole : state.meter.perSecond
        let left = state.meter.secondsLeft(for: report.total - report.done)
        switch style {
        case .none: return nil
        case .json:
            return report.json(rate: rate, secondsLeft: left, elapsedSeconds: seconds) + "\n"
        case .plain:
            // A run that ended just after its last line needs no second one.
            if isOver, state.lastDone == report.done { return nil }
            state.lastDone = report.done
            let line = report.line(
                rate: rate, secondsLeft: left, elapsedSeconds: seconds, columns: 200)
            return "note: \(line)\n"
        case .terminal:
            state.isDrawn = true
            // The last column stays free: some terminals wrap a full line.
            let line = report.line(
                rate: rate, secondsLeft: left, elapsedSeconds: seconds, columns: columns() - 1)
            return "\r\(line)\u{1B}[K"
        }
    }
}
