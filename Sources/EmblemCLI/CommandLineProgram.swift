import Cell
import Console
import Flags
import Glibc
import Notation
import System
import Transport

/// The whole program, from its first line to its exit code.
package enum CommandLineProgram {
    /// What must happen before there is a second thread; never comes back in a cell.
    package static func begin() {
        // First of all, since making cells can meet the limits of the system too.
        StandardStreams.prepare()
        EndingSignals.endWithCode()
        ProcessLanguage.settle()
        stand(on: Footing.lackOfCalls)
        PreforkedCells.prepare()
        ProcessMemory.keepForReuse()
        Footing.reserve()
        stand(on: Footing.lackOfRoom)
    }

    /// Ends the process where something is missing.
    private static func stand(on lack: Footing.Lack?) {
        guard let lack else { return }
        MessageStream(program: CommandLineTool.tool.name)
            .line(lack.text, .error)
        exit(lack.exitCode)
    }

    package static func run() async -> Never {
        exit(
            await CommandLineTool.run(
                arguments: RawArguments.bytes.dropFirst().map { FilePath(bytes: $0).text },
                environment: ProcessEnvironment.values(for: CommandLineTool.tool)))
    }
}
