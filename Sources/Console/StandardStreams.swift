import Glibc

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
