import Glibc
import System

/// A failure to write or read a file of an output folder.
package enum OutletError: Error, Hashable, Sendable {
    case cannotCreate(path: String, cause: Errno)
    /// The path is occupied by an entry that is not replaced, such as a folder or a link.
    case inTheWay(path: String, what: FileFacts.Kind)
    /// A file that emblem did not create is at the path of a file that it writes.
    case foreign(path: String)
    /// A file that is written in place has a second name (hard link), so that writing would change
    /// a foreign file.
    case shared(path: String)
    case io(path: String, doing: String, cause: Errno)
    /// Another run has locked the folder; `pid` is its process, if known.
    case held(path: String, pid: Int?)

    package var exitCode: Int32 {
        switch self {
        case .cannotCreate, .inTheWay, .foreign, .shared: 73
        case .io: 74
        case .held: 75
        }
    }

    package var cause: Errno? {
        switch self {
        case .cannotCreate(_, let cause), .io(_, _, let cause): cause
        case .inTheWay, .foreign, .shared, .held: nil
        }
    }

    /// Classifies a failure to create `path`: if a retry cannot succeed, it is `cannotCreate`.
    init(making path: String, _ cause: Errno) {
        switch cause.code {
        case ENOSPC, EDQUOT, EIO, EMFILE, ENFILE, ENOMEM:
            self = .io(path: path, doing: "create", cause: cause)
        case ELOOP: self = .inTheWay(path: path, what: .link)
        default: self = .cannotCreate(path: path, cause: cause)
        }
    }
}

extension OutletError {
    /// Runs system calls on a path and adds the path to their error.
    static func wrap<Result: ~Copyable>(
        _ path: @autoclosure () -> String, _ doing: String,
        _ body: () throws(Errno) -> Result
    ) throws(OutletError) -> Result {
        try rethrowing(as: { OutletError.io(path: path(), doing: doing, cause: $0) }, body)
    }
}

extension OutletError: CustomStringConvertible {
    /// The failure and the remedy.
    package var description: String {
        switch self {
        case .cannotCreate(let path, let cause):
            "cannot create \(path): \(cause); \(Self.adviceForMaking(cause))"
        case .inTheWay(let path, let what):
            "cannot write \(path): \(what.phrase) already exists there; move it or choose "
                + "another place"
        case .foreign(let path):
            "cannot write \(path): a file that emblem did not create is there; move it or choose "
                + "another place"
        case .shared(let path):
            "cannot write \(path): the file has a second hard link, which would change as well; "
                + "remove one link or choose another place"
        case .io(let path, let doing, let cause):
            "cannot \(doing) \(path): \(cause); \(Self.advice(for: cause))"
        case .held(let path, let pid):
            "another run (\(pid.map { "process \($0)" } ?? "its process is unknown")) is using "
                + "\(path); wait for it or choose another folder"
        }
    }

    /// Returns the remedy for a failure to create a file or folder.
    private static func adviceForMaking(_ cause: Errno) -> String {
        switch cause.code {
        case ENOENT, ENOTDIR: "create the folder first; a link in the path may be broken"
        default: advice(for: cause)
        }
    }

    private static func advice(for cause: Errno) -> String {
        switch cause.code {
        case ENOSPC, EDQUOT: "free some space and run again"
        case EFBIG: "raise the limit on the size of files (`ulimit -f`) and run again"
        case EMFILE, ENFILE: "raise `ulimit -n` or let fewer jobs run at once"
        case EROFS, EACCES, EPERM: "choose a writable place"
        case ENAMETOOLONG: "use shorter names, or a shorter path"
        case EXDEV:
            "mount the file system at the output folder itself, not below it, or choose another "
                + "folder"
        case ENOENT, ENOTDIR: "run again: the folder was moved or deleted"
        default: "run again; files written so far are valid"
        }
    }
}
