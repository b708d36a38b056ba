import Cell
import Console
import Flags
import Glibc
import Transport

/// The whole program, from its first line to its exit code.
package enum CommandLineProgram {
    /// What must happen before there is a second thread; never comes back in a cell.
    package static func begin() {
        // First of all, since making cells can meet the limits of the system too.
        StandardStreams.prepare()
        if let refusal = SystemNeeds.refusal {
            MessageStream().line("\(CommandLineTool.tool.name): \(refusal)")
            exit(69)
        }
        EarlyCells.prepare()
        Footing.check()
        ProcessMemory.keepForReuse()
    }

    package static func run() async -> Never {
        exit(
            await CommandLineTool.run(
                arguments: Array(FirstWords.all.dropFirst()),
                environment: ProcessEnvironment.values(for: CommandLineTool.tool)))
    }
}
