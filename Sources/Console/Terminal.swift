import Glibc

/// What the other end of a stream can show.
package struct Terminal: Hashable, Sendable {
    /// Somebody may be looking.
    package var isTerminal: Bool
    /// Characters to a line; 80 where nobody knows.
    package var columns: Int
    /// Escape sequences for colours are welcome.
    package var allowsColor: Bool
    /// A line may be drawn again in place.
    package var allowsAnimation: Bool

    /// The facts from what the system says. `NO_COLOR` counts when it is not empty; `COLUMNS`
    /// counts where the system knows no width.
    package init(isTerminal: Bool, systemColumns: Int?, environment: [String: String]) {
        self.isTerminal = isTerminal
        let isDumb = environment["TERM"] == "dumb" || environment["TERM"]?.isEmpty ?? true
        allowsAnimation = isTerminal && !isDumb
        allowsColor = allowsAnimation && environment["NO_COLOR"]?.isEmpty ?? true
        let told = environment["COLUMNS"].flatMap { Int($0) }
        columns = [systemColumns, told].compactMap { $0 }.first { $0 > 0 } ?? 80
    }

    /// The terminal behind a descriptor, if it is one.
    package static func at(_ descriptor: Int32, environment: [String: String]) -> Terminal {
        var size = winsize()
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return Terminal(
            isTerminal: isatty(descriptor) == 1, systemColumns: isKnown ? Int(size.ws_col) : nil,
            environment: environment)
    }
}

/// The three descriptors a process is born with.
package enum StandardStreams {
    /// Makes a process that was started with some of them closed safe: a file opened later must
    /// not become standard output by its number. What is missing is opened the wrong way round,
    /// so that using it is an error as it should be. Also lets writes to a closed pipe return, and
    /// those beyond the limit on the size of files.
    package static func prepare() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            let opened = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
            if opened >= 0, opened != descriptor {
                _ = dup2(opened, descriptor)
                _ = close(opened)
            }
        }
    }
}
