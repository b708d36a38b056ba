import EmblemCLI

CommandLineProgram.begin()
await CommandLineProgram.run()
