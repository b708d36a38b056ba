import Console
import Glibc

StandardStreams.prepare()
exit(
    await CommandLineTool.run(
        arguments: Array(CommandLine.arguments.dropFirst()),
        environment: ProcessEnvironment.values(for: CommandLineTool.tool)))
