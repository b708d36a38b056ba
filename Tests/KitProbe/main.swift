import EmblemKit
import FoundationEssentials
import Glibc
import Synchronization

// A program that uses the library. `KitProbe alone` cannot start workers; all other commands can.
let words = Array(CommandLine.arguments.dropFirst())
if words.first != "alone" { EmblemWorker.runIfAsked() }

func title(of svg: String) -> String {
    let after = svg.split(separator: "<title>", maxSplits: 1).last ?? ""
    return String(after.split(separator: "</title>", maxSplits: 1).first ?? "")
}

switch words.first {
case "alone", "own": await Drill.run(Array(words.dropFirst()))
case "reaper":
    Reaper.start()
    await Drill.run(Array(words.dropFirst()))
case "beside": await Beside.run(Array(words.dropFirst()))
case "texts":
    let view = StateView(
        params: StateViewInitParams(
            configuration: NoResultsStateViewConfiguration(), bundles: [.main]))
    do throws(EmblemError) {
        print(title(of: try view.svg()))
    } catch {
        print(error)
    }
case "load":
    print(try await AsyncEmblem(url: URL(string: "http://127.0.0.1:9/x.png")).render().error as Any)
case "avif":
    do {
        print(try await Image(icon: .lock).data(as: .avif).count)
    } catch {
        print(error)
    }
case "encode":
    let noise = try Image(
        width: 512, height: 512,
        rgba: (0..<(512 * 512 * 4)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 5) | 3 })
    let finished = Atomic(0)
    let encodings = (0..<16).map { _ in
        Task {
            _ = try await noise.data(as: .avif)
            finished.add(1, ordering: .relaxed)
        }
    }
    // Tasks of the program, queued behind the encodings.
    for index in 0..<100 { await Task { _ = index }.value }
    print(finished.load(ordering: .relaxed))
    for encoding in encodings { encoding.cancel() }
case "shutdown":
    await Shutdown.run()
case "write":
    let files = try FileManager.default.subpathsOfDirectory(atPath: words[1])
        .filter { $0.hasSuffix(".png") }.sorted()
    var batch = EmblemBatch(files.map { ImageSource.local(name: "\(words[1])/\($0)") })
    batch.layouts = Emblem.Layout.allCases
    do {
        print(try await batch.write(to: words[2]))
    } catch let error as EmblemError {
        print(error.errorClass, error.isRetryable, error)
    }
case "walk": try await Walk.run(Array(words.dropFirst()))
default:
    print(
        "usage: KitProbe alone|own|reaper ISOLATION [DEED|DRAWING…] | beside ISOLATION COUNT"
            + " | walk FOLDER TIMES [ISOLATION] | write FOLDER OUT | texts|load|avif|encode|shutdown"
    )
    exit(64)
}
