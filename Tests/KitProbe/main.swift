import EmblemKit
import Glibc

// A program that uses the library: `KitProbe alone` cannot be its own worker, all others can.
let words = Array(CommandLine.arguments.dropFirst())
if words.first != "alone" { EmblemWorker.runIfAsked() }

switch words.first {
case "alone", "own": await Drill.run(Array(words.dropFirst()))
case "reaper":
    Reaper.start()
    await Drill.run(Array(words.dropFirst()))
case "beside": await Beside.run(Array(words.dropFirst()))
default:
    print("usage: KitProbe alone|own|reaper ISOLATION [DEED|DRAWING…] | beside ISOLATION COUNT")
    exit(64)
}
