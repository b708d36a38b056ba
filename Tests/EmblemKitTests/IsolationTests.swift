import Support
import Testing

/// Runs programs that use the library, each with pictures that must not harm it.
@Suite("The isolation of decoding in a program")
struct IsolationTests {
    private static let ordinary = "process, seccomp"

    /// Returns the lines of `KitProbe`: the isolation, a valid emblem, the isolation, a line for
    /// each picture, the valid emblem again, and the isolation at the end.
    private func drill(
        _ mode: String, _ isolation: String, _ pictures: [String] = [], alone: Bool = false,
        worker: String? = nil, limits: String = "true"
    ) async throws -> [String] {
        let folder = try ScratchFolder()
        var program = Tool.path(of: "KitProbe")
        if alone {
            // The folder of the copy contains no tool.
            // `cp` makes the copy: another process, started while this one writes, would inherit the
            // open file, and a program that is open for writing cannot be executed.
            let copy = try Tool.run("/bin/cp", [program, folder.path + "/KitProbe"])
            try #require(copy.status == 0, "\(copy.errors)")
            program = folder.path + "/KitProbe"
        }
        let ending = try await apart { [program] in
            try Tool.run(
                "/bin/bash",
                ["-c", limits + "; exec \"$@\"", "bash", program, mode, isolation] + pictures,
                environment: worker.map { ["EMBLEM_WORKER": $0] } ?? [:])
        }
        #expect(ending.status == 0 && ending.errors == "", "\(ending.errors)")
        let lines = ending.output.split(separator: "\n").map { String($0) }
        try #require(lines.count == 5 + pictures.count, "\(ending.output)")
        return lines
    }

    private static let hostile = ["a million octaves of noise", "quadratic entities"]

    @Test(
        "a picture that kills its decoder kills only a worker, for every kind of worker",
        arguments: [("alone", false), ("own", false), ("own", true)])
    func hostile(mode: String, isAlone: Bool) async throws {
        let lines = try await drill(mode, "process", Self.hostile, alone: isAlone)
        #expect(lines[0] == "nothing was decoded yet")
        #expect(lines[1].contains(" bytes, ") && lines[1] == lines[5])
        #expect(lines[2].hasPrefix(Self.ordinary) && lines[2] == lines[6])
        // On a busy machine the limit on elapsed time may expire before the limit on CPU time.
        let isOver = ["than 5 seconds of CPU time", "than Decoding.timeout"].contains {
            lines[3].contains($0)
        }
        #expect(isOver, "\(lines[3])")
        #expect(lines[4].contains("Decoding would exceed a limit"))
    }

    @Test("a batch shows placeholders if no picture may be decoded, and states the reason")
    func nowhere() throws {
        let folder = try ScratchFolder()
        try folder.write(TestPictures.png(), to: "in/a.png")
        let ending = try Tool.run(
            Tool.path(of: "KitProbe"), ["walk", folder.path("in"), "1", "strict"],
            environment: ["EMBLEM_WORKER": "/nowhere/emblem"])
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.hasPrefix("placeholder: No worker process can be started"))
        #expect(ending.output.contains("EMBLEM_WORKER names /nowhere/emblem"))
        #expect(ending.output.contains("\n0 of 1, "))
    }

    @Test(
        "a batch is not written where no picture may be decoded: its end says why, and a later run completes it"
    )
    func unwritten() throws {
        let folder = try ScratchFolder()
        try folder.write(TestPictures.png(), to: "in/a.png")
        func write(_ environment: [String: String] = [:]) throws -> String {
            let ending = try Tool.run(
                Tool.path(of: "KitProbe"), ["write", folder.path("in"), folder.path("out")],
                environment: environment)
            #expect(ending.status == 0, "\(ending.errors)")
            return ending.output
        }
        let end = try write(["EMBLEM_WORKER": "/nowhere/emblem"])
        #expect(end.hasPrefix("unavailable true No worker process can be started"))
        #expect(end.contains("EMBLEM_WORKER names /nowhere/emblem"))
        // A manifest with placeholders would blame the pictures.
        #expect(!folder.exists("out/manifest.ndjson"))
        #expect(try write().contains("ok: 1"))
        #expect(folder.exists("out/manifest.ndjson"))
    }

    @Test("a picture gives the same emblem in a worker and in the program")
    func same() async throws {
        let isolated = try await drill("own", "process")
        let other = try await drill("own", "none")
        #expect(isolated[1] == other[1] && isolated[2] != other[2])
        #expect(other[0] == other[2] && other[0].contains("isolation is none"))
    }

    @Test(
        "a program survives a compromised decoder, even if the program waits for all its children",
        arguments: ["alone", "reaper"])
    func deeds(mode: String) async throws {
        let deeds = ["segv", "abort", "leave", "hang", "fill", "nonsense", "answerTwice", "hangUp"]
        let lines = try await drill(mode, "process", deeds, worker: Tool.path(of: "WorkerProbe"))
        #expect(lines[1].contains(" bytes, ") && lines[1] == lines[lines.count - 2])
        for line in lines[3..<(3 + deeds.count)] where !line.hasPrefix("answerTwice") {
            #expect(!line.contains(" bytes, "), "\(line)")
        }
        if mode == "alone" {
            #expect(lines[3].hasSuffix("The decoder crashed: signal 11."))
            #expect(lines[4].hasSuffix("The decoder crashed: signal 6."))
        }
        #expect(lines[lines.count - 1].hasPrefix(Self.ordinary))
    }

    @Test("a picture for which the system has no memory fails alone")
    func noRoom() async throws {
        let lines = try await drill("own", "process", ["padded"], limits: "ulimit -f 2000")
        #expect(lines[1].contains(" bytes, ") && lines[1] == lines[4])
        #expect(lines[3].contains("cannot grow") && lines[3].contains("raise `ulimit -f`"))
        #expect(lines[5].hasPrefix(Self.ordinary))
        #expect(try await drill("own", "process", ["padded"])[3].hasSuffix(lines[1]))
    }

    @Test("a program without a worker refuses to decode unless its settings allow its own process")
    func noWorker() async throws {
        let lines = try await drill("alone", "processIfPossible", alone: true)
        #expect(lines[1].contains(" bytes, ") && lines[1] == lines[3])
        let reason = "no worker program was found: call EmblemWorker.runIfAsked()"
        #expect(lines[2].hasPrefix("none, decoding in this program: \(reason)"))
        for isolation in ["process", "strict"] {
            let none = try await drill("alone", isolation, alone: true)
            #expect(none[2].hasPrefix("nothing can be decoded: \(reason)"))
            #expect(none[1].contains(reason) && none[1] == none[3])
        }
    }

    @Test("an endless picture decoded in the program does not hold the task that waits for it")
    func deadline() async throws {
        let lines = try await drill("alone", "none", [Self.hostile[0], "100,000 stops"])
        #expect(lines[3].contains("Decoding took"))
        #expect(lines[4].contains("Decoding"))
        #expect(lines[1].contains(" bytes, ") && lines[1] == lines[5])
    }

    @Test("a program in strict mode decodes only where both protections are in force")
    func strict() async throws {
        let lines = try await drill("own", "strict")
        let holds = lines[2].hasPrefix("\(Self.ordinary), landlock")
        #expect(holds == lines[1].contains(" bytes, "))
        #expect(holds != lines[1].hasPrefix("No worker process can be started"))
    }

    @Test("a worker of another release and a program that is not a worker are refused")
    func foreign() async throws {
        let folder = try ScratchFolder()
        let text = try folder.write(
            "#!/bin/sh\nprintf '\\000\\002\\0\\0\\0\\0\\0\\0\\0' >&3\nexec sleep 9\n", to: "text")
        let script = try folder.install(text, as: "worker")
        #expect(
            try await drill("alone", "process", worker: script)[2].contains(
                "is from another release"))
        #expect(
            try await drill("alone", "process", worker: "/bin/true")[2].contains(
                "a worker ended during its start"))
        // A worker that is named explicitly has no fallback.
        #expect(
            try await drill("own", "process", worker: "/none")[2].hasSuffix(
                "EMBLEM_WORKER names /none, which cannot be started"))
    }

    @Test("a shutdown ends every worker, even in a service, and the next image starts new ones")
    func shutdown() throws {
        let ending = try Tool.run(Tool.path(of: "KitProbe"), ["shutdown"])
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(
            ending.output.split(separator: "\n") == [
                "children", "none", "children", "none", "process",
            ])
    }
}
