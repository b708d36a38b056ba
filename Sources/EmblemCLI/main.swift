import Console
import Glibc
import Transport

StandardStreams.prepare()
ProcessMemory.keepForReuse()
exit(
    await CommandLineTool.run(
        arguments: Array(CommandLine.arguments.dropFirst()),
        environment: ProcessEnvironment.values(for: CommandLineTool.tool)))
