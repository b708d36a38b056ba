import Foundation

/// Runs the tools that the package builds, as a person at a terminal would.
package enum Tool {
    /// What a command left behind.
    package struct Ending: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// The folder of the test bundle, where the built tools stand too.
    private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The little that every program is given: where others are found, and what the makers of a
    /// build with a sanitizer or with coverage have to say to it.
    private static let environment: [String: String] = {
        let names = ["PATH", "LLVM_PROFILE_FILE", "ASAN_OPTIONS", "LSAN_OPTIONS"]
        return ["PATH": "/usr/bin:/bin"].merging(
            ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
        ) { $1 }
    }()

    package static func path(of tool: String) -> String { folder.appending(path: tool).path }

    /// Runs `emblem` with `arguments`, a small environment of its own, and nothing else.
    package static func emblem(
        _ arguments: [String], in directory: String? = nil, environment: [String: String] = [:],
        input: [UInt8]? = nil
    ) throws -> Ending {
        try run(
            path(of: "emblem"), arguments, in: directory, environment: environment, input: input)
    }

    /// The same, and what it cost the processors, with all processes that it waited for.
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

    /// Runs any program and waits for its end.
    package static func run(
        _ program: String, _ arguments: [String], in directory: String? = nil,
        environment: [String: String] = [:], input: [UInt8]? = nil
    ) throws -> Ending {
        let process = try start(
            program, arguments, in: directory, environment: environment, input: input)
        return process.wait()
    }

    /// Starts a program and returns at once.
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
        // Files, not pipes: a program that prints much never waits for its reader.
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
        // A suite in the background of a script ignores SIGINT, and programs would inherit that.
        _ = signal(SIGINT, SIG_DFL)
        try process.run()
        // The program has its own; Foundation may keep these for as long as this process lives.
        for handle in handles { try handle.close() }
        return Running(process: process, scratch: scratch)
    }

    /// A program under way.
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

        /// What it has said on standard error until now.
        package var errorsSoFar: String { text("stderr") }

        package func wait() -> Ending {
            Ending(status: process.end(), output: text("stdout"), errors: text("stderr"))
        }

        private func text(_ name: String) -> String {
            (try? scratch.text(name)) ?? ""
        }
    }
}
