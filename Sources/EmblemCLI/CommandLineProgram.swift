import Console
import Glibc
import Transport

/// The whole program, from its first line to its exit code.
package enum CommandLineProgram {
    /// What must happen before there is a second thread; never comes back in a cell.
    package static func begin() {
        EarlyCells.prepare()
        StandardStreams.prepare()
        ProcessMemory.keepForReuse()
    }

    package static func run() async -> Never {
        exit(
            await CommandLineTool.run(
                arguments: Array(CommandLine.arguments.dropFirst()),
                environment: ProcessEnvironment.values(for: CommandLineTool.tool)))
    }
}
