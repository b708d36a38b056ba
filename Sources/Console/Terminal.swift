import Glibc

/// The capabilities of the terminal behind a stream.
package struct Terminal: Hashable, Sendable {
    package let isTerminal: Bool
    /// Characters per line; 80 if unknown.
    package let columns: Int
    /// Whether a line may be redrawn in place.
    package let allowsAnimation: Bool

    /// Derives the capabilities. `NO_COLOR` counts if it is not empty; `COLUMNS` counts if the
    /// system knows no width.
    package init(isTerminal: Bool, systemColumns: Int?, environment: [String: String]) {
        self.isTerminal = isTerminal
        let isDumb = environment["TERM"] == "dumb" || environment["TERM"]?.isEmpty ?? true
        let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        allowsAnimation = isTerminal && !isDumb && !isPlain
        let told = environment["COLUMNS"].flatMap { Int($0) }
        columns = [systemColumns, told].compactMap { $0 }.first { $0 > 0 } ?? 80
    }

    package static func at(_ descriptor: Int32, environment: [String: String]) -> Terminal {
        var size = winsize()
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return Terminal(
            isTerminal: isatty(descriptor) == 1, systemColumns: isKnown ? Int(size.ws_col) : nil,
            environment: environment)
    }
}

package enum StandardStreams {
    /// Makes a process safe that was started with some of the descriptors 0 to 2 closed: a file
    /// opened later must not become standard output. A closed descriptor is opened in the wrong
    /// direction, so that using it is still an error. Also ignores SIGPIPE and SIGXFSZ, so that
    /// such writes return an error.
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
