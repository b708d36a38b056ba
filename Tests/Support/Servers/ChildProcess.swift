import Glibc

/// A program that a test communicates with. It ends when its standard input is closed, at the
/// latest at the end of the tests.
package final class ChildProcess: Sendable {
    package let processID: pid_t
    private let input: Int32
    private let output: Int32

    package struct CannotStart: Error {}

    /// More descriptors than tests open; closing an unused one is not an error.
    private static let descriptors: Int32 = 1_024

    /// Starts a program, which is searched in PATH.
    package init(_ arguments: [String]) throws {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard unsafe pipe(&toChild) == 0, unsafe pipe(&fromChild) == 0 else { throw CannotStart() }
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        // The child inherits no other descriptors: Foundation regards a program as ended only when
        // no process holds the pipes that it was given.
        for other in 3..<Self.descriptors {
            unsafe posix_spawn_file_actions_addclose(&actions, other)
        }
        var words = unsafe arguments.map { unsafe strdup($0) }
        unsafe words.append(nil)
        var id = pid_t()
        let outcome = unsafe posix_spawnp(&id, arguments[0], &actions, nil, words, environ)
        while let word = unsafe words.popLast() { unsafe free(word) }
        unsafe posix_spawn_file_actions_destroy(&actions)
        close(toChild[0])
        close(fromChild[1])
        guard outcome == 0 else { throw CannotStart() }
        (processID, input, output) = (id, toChild[1], fromChild[0])
    }

    deinit {
        close(input)
        close(output)
        waitpid(processID, nil, 0)
    }

    package func readLine() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(output, &byte, 1) == 1, byte != 0x0A { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    package static func run(_ arguments: [String]) throws {
        let child = try ChildProcess(arguments)
        while !child.readLine().isEmpty {}
    }
}
