import Foundation

/// Runs the tools that the package builds, like a user at a terminal.
package enum Tool {
    package struct Ending: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// The folder of the test bundle, which also contains the built tools.
    private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The minimal environment of every program: PATH, and the variables of sanitizer and coverage
    /// builds.
    private static let environment: [String: String] = {
        let names = ["PATH", "LLVM_PROFILE_FILE", "ASAN_OPTIONS", "LSAN_OPTIONS"]
        return ["PATH": "/usr/bin:/bin"].merging(
            ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
        ) { $1 }
    }()

    package static func path(of tool: String) -> String { folder.appending(path: tool).path }

    /// Runs `emblem` with `arguments` in a minimal environment.
    package static func emblem(
        _ arguments: [String], in directory: String? = nil, environment: [String: String] = [:],
        input: [UInt8]? = nil
    ) throws -> Ending {
        try run(
            path(of: "emblem"), arguments, in: directory, environment: environment, input: input)
    }

    /// Runs `emblem` and measures its CPU time, including all processes that it waited for.
    package static func emblemWithCost(
        _ arguments: [String], in folder: ScratchFolder
    ) throws -> (ending: Ending, seconds: Double) {
        let script = "TIMEFORMAT='%3U %3S'; { time \"$@\" 2>&3; } 3>&2 2> cost"
        let ending = try run(
            "/bin/bash", ["-c", script, "bash", path(of: "emblem")] + arguments, in: folder.path)
        let seconds = try folder.text("cost").split(whereSeparator: \.isWhitespace).map {
            Double($0) ?? .infinity
        }
        folder.remove("cost")
        return (ending, seconds.count == 2 ? seconds[0] + seconds[1] : .infinity)
    }

    package static func run(
        _ program: String, _ arguments: [String], in directory: String? = nil,
        environment: [String: String] = [:], input: [UInt8]? = nil
    ) throws -> Ending {
        let process = try start(
            program, arguments, in: directory, environment: environment, input: input)
        return process.wait()
    }

    package static func start(
        _ program: String, _ arguments: [String], in directory: String? = nil,
        environment: [String: String] = [:], input: [UInt8]? = nil
    ) throws -> Running {
        let scratch = try ScratchFolder()
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: directory ?? scratch.path)
        process.environment = Self.environment.merging(environment) { $1 }
        // Files instead of pipes, so that a program with much output never blocks.
        let output = try scratch.write([], to: "stdout")
        let errors = try scratch.write([], to: "stderr")
        var handles = [
            try FileHandle(forWritingTo: URL(filePath: output)),
            try FileHandle(forWritingTo: URL(filePath: errors)),
        ]
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        if let input {
            let name = try scratch.write(input, to: "stdin")
            handles.append(try FileHandle(forReadingFrom: URL(filePath: name)))
            process.standardInput = handles[2]
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        // A background test run ignores SIGINT, and programs would inherit that.
        _ = signal(SIGINT, SIG_DFL)
        try process.run()
        // The program has its own copies, and Foundation may keep these open until this process
        // ends.
        for handle in handles { try handle.close() }
        return Running(process: process, scratch: scratch)
    }

    package struct Running {
        private let process: Process
        private let scratch: ScratchFolder

        init(process: Process, scratch: ScratchFolder) {
            self.process = process
            self.scratch = scratch
        }

        package var processIdentifier: Int32 { process.processIdentifier }
        package var isRunning: Bool { process.isRunning }

        package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

        package var errorsSoFar: String { text("stderr") }

        package func wait() -> Ending {
            Ending(status: process.end(), output: text("stdout"), errors: text("stderr"))
        }

        private func text(_ name: String) -> String {
            (try? scratch.text(name)) ?? ""
        }
    }
}
