import Cell
import Console
import Glibc
import Transport

if CommandLine.arguments.dropFirst().first == CellWorker.word { CellWorker.main() }
StandardStreams.prepare()
ProcessMemory.keepForReuse()
exit(
    await CommandLineTool.run(
        arguments: Array(CommandLine.arguments.dropFirst()),
        environment: ProcessEnvironment.values(for: CommandLineTool.tool)))
