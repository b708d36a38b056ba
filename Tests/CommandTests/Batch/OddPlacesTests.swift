import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("Runs in unusual environments", .ownThreads)
struct OddPlacesTests {
    private static func run(_ surroundings: String, in folder: ScratchFolder) throws -> Tool.Ending
    {
        let batch = "\(Tool.path(of: "emblem")) batch \(folder.path("in")) -o \(folder.path("out"))"
        return try Tool.run(
            "/bin/bash", ["-c", surroundings.replacing("BATCH", with: batch)], in: folder.path)
    }

    @Test(
        "a run works in each unusual environment",
        arguments: [
            "exec BATCH <&-", "exec BATCH >&-", "exec BATCH 2>&-", "exec BATCH <&- >&- 2>&-",
            "exec env -i BATCH", "exec env -i HOME=/nowhere/at/all BATCH",
            "exec env -i XDG_CACHE_HOME=/dev/null BATCH",
            "umask 0; exec BATCH", "mkdir gone; cd gone; rmdir ../gone; exec BATCH",
            "exec taskset -c 0 BATCH", "exec env -i LC_ALL=xx_YY TZ=Nowhere/Else BATCH",
            "BATCH 2>&1 | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}",
        ])
    func works(_ surroundings: String) throws {
        let folder = try Pictures.mixedFolder()
        let run = try Self.run(surroundings, in: folder)
        #expect(run.status == 0, "\(surroundings): \(run.errors)")
        let verified = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(verified.status == 0, "\(surroundings): \(verified.output)")
        #expect(folder.tree("out").count == 30)
    }

    @Test(
        "a file name that is not UTF-8 works as an argument, in a folder and in a list with NUL",
        arguments: [
            ("$'in/l\\xe9.png' $'in/l\\xe8.png'", 2), ("$'in/f\\xe9'", 1),
            ("-0 --list <(find in -name 'l*.png' -print0)", 2),
        ])
    func sourcesWithoutText(inputs: String, count: Int) throws {
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 40, height: 40), to: "in/disc.png")
        let script = """
            cp in/disc.png $'in/l\\xe9.png'; cp in/disc.png $'in/l\\xe8.png'
            mkdir $'in/f\\xe9'; mv in/disc.png $'in/f\\xe9'
            "$0" batch \(inputs) -o out --layout small && "$0" batch \(inputs) -o out --layout small
            """
        let run = try Tool.run(
            "/bin/bash", ["-c", script, Tool.path(of: "emblem")], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("unchanged (reused)"), "\(run.errors)")
        #expect(try ManifestText(folder).summary?["ok"]?.intValue == count)
        #expect(folder.tree("out/small").count == count)
    }

    @Test("a command line argument that is not UTF-8 is refused")
    func wordsWithoutText() throws {
        let folder = try Pictures.discFolder()
        for words in ["batch in -o $'o\\xff'", "inspect $'in/\\xfe.png'", "batch in -o$'\\xc3'"] {
            let run = try Tool.run(
                "/bin/bash", ["-c", "\"$0\" \(words)", Tool.path(of: "emblem")], in: folder.path)
            #expect(run.status == 64 && run.errors.contains("is not UTF-8"), "\(run.errors)")
        }
        #expect(folder.names(in: ".") == ["in"])
    }

    @Test("a journal or lock that is a hard link is kept, and the message says so")
    func hardLinks() throws {
        for name in ["lock", "journal.ndjson"] {
            let folder = try Pictures.mixedFolder()
            try folder.write("precious", to: "victim")
            folder.makeFolder("out/.emblem")
            let planted = folder.path("out/.emblem/\(name)")
            try #require(unsafe link(folder.path("victim"), planted) == 0)
            let run = try Self.run("exec BATCH", in: folder)
            #expect(run.status == 73 && run.errors.contains("hard link"), "\(run.errors)")
            #expect(try folder.text("victim") == "precious")
        }
    }

    @Test(
        "a run at a system limit finishes or ends with a message, never with a bare signal",
        arguments: [
            ("ulimit -f 4; exec BATCH", [74]), ("ulimit -f 4; exec BATCH --sandbox none", [74]),
            ("ulimit -n 12; exec BATCH", [74]), ("ulimit -n 8; exec BATCH", [74]),
            ("ulimit -n 5; exec BATCH", [74]), ("ulimit -n 40; exec BATCH", [0, 74]),
            ("ulimit -v 150000; exec BATCH", [74]),
            ("ulimit -v 150000; exec BATCH --sandbox none", [74]),
            ("ulimit -v 300000; exec BATCH", [0]), ("ulimit -s 64; exec BATCH", [0, 74]),
        ])
    func limits(_ surroundings: String, _ codes: [Int32]) throws {
        let folder = try Pictures.mixedFolder()
        let run = try Self.run(surroundings, in: folder)
        #expect(codes.contains(run.status), "\(surroundings): \(run)")
        if run.status != 0 { #expect(run.errors.contains("emblem: "), "\(surroundings): \(run)") }
        if surroundings.contains("-n 40"), run.status != 0 {
            #expect(run.errors.contains("a worker needs up to"), "\(run.errors)")
        }
        // The written outputs stay valid.
        let whole = try Self.run("exec BATCH", in: folder)
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
    }

    @Test("a picture that fails for lack of memory is not reported as broken")
    func noRoomToShare() throws {
        let folder = try ScratchFolder()
        let picture = try Pictures.disc(.black, width: 30, height: 30)
        try folder.write(picture, to: "in/a.png")
        // Bytes after the image in its file are ignored.
        try folder.write(picture + [UInt8](repeating: 0, count: 3 << 20), to: "in/b.png")
        let limited = "ulimit -f 2000; exec BATCH"
        let run = try Self.run(limited, in: folder)
        #expect(run.status == 74 && run.errors.contains("raise `ulimit -f`"), "\(run)")
        #expect(!folder.exists("out/manifest.ndjson"))
        #expect(try !folder.text("out/.emblem/journal.ndjson").contains("crashed"))
        // The run succeeds without the limit, and also with it in the tool's own process, which
        // shares no memory.
        let whole = try Self.run("exec BATCH", in: folder)
        #expect(whole.status == 0, "\(whole.errors)")
        let alone = try Self.run("\(limited) --sandbox none --force", in: folder)
        #expect(alone.status == 0, "\(alone.errors)")
        #expect(try folder.text("out/manifest.ndjson").contains("\"ok\":2"))
    }

    @Test("a run without permission to start threads ends with a message", arguments: [0, 2, 4, 6])
    func threads(_ count: Int) throws {
        let folder = try Pictures.mixedFolder()
        let source = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <errno.h>
            #include <pthread.h>
            static int made;
            int pthread_create(pthread_t *a, const pthread_attr_t *b, void *(*c)(void *), void *d) {
                int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
                    dlsym(RTLD_NEXT, "pthread_create");
                return __sync_fetch_and_add(&made, 1) < \(count) ? real(a, b, c, d) : EAGAIN;
            }
            """
        try folder.write(source, to: "threads.c")
        let build = try Tool.run(
            "/usr/bin/cc", ["-shared", "-fPIC", "threads.c", "-o", "threads.so", "-ldl"],
            in: folder.path)
        try #require(build.status == 0, "\(build.errors)")
        let run = try Self.run(
            "export LD_PRELOAD=$PWD/threads.so; exec timeout 60 BATCH", in: folder)
        #expect(run.status == 74 && run.errors.contains("refuses to start"), "\(run)")
    }

    @Test("a run on one core does not wait for its own threads")
    func oneCore() throws {
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "a.png")
        var times: [Double] = []
        // A thread that wrongly waits for another one waits a second. Other tests may delay a run,
        // but not every run.
        while times.count < 50, times.allSatisfy({ $0 > 0.9 }) {
            let seconds = try Waiting.seconds {
                let ending = try Tool.run(
                    "/usr/bin/taskset",
                    [
                        "-c", "0", Tool.path(of: "emblem"), "batch", "a.png", "-o",
                        "out\(times.count)",
                    ], in: folder.path)
                #expect(ending.status == 0, "\(ending.errors)")
            }
            times.append(seconds)
        }
        #expect(times.last.map { $0 <= 0.9 } == true, "\(times)")
    }

    @Test("a run whose downloads hang stops within two seconds for every way to stop it")
    func hangingDownloads() throws {
        let (socket, port) = LocalSocket.listen()
        defer { close(socket) }
        let rows = (0..<200).map { "http://127.0.0.1:\(port)/\($0).png\n" }.joined()
        for (signal, status) in [(SIGINT, Int32(130)), (SIGTERM, 143), (SIGHUP, 129)] {
            let folder = try ScratchFolder()
            try folder.write("in/a.png\n" + rows, to: "list.txt")
            try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "in/a.png")
            let running = try Tool.start(
                Tool.path(of: "emblem"),
                [
                    "batch", "--list", "list.txt", "-o", "out", "--allow-private", "--cache",
                    "none", "--timeout", "3600", "--item-timeout", "3600",
                ], in: folder.path)
            #expect(Waiting.until { !running.isRunning || !folder.tree("out/xLarge").isEmpty })
            #expect(LocalSocket.wasReached(socket, within: 10_000))
            running.send(signal)
            // A run that waited for the downloads would take an hour.
            #expect(Waiting.until { !running.isRunning })
            let ending = running.wait()
            #expect(ending.status == status, "\(ending.errors)")
            #expect(!folder.exists("out/manifest.ndjson"))
            #expect(folder.tree("out/.emblem/tmp", hidden: true).isEmpty)
            let journal = try folder.text("out/.emblem/journal.ndjson")
            #expect(journal.hasSuffix("\n") && journal.contains("\"id\":\"a\""))
        }
    }
}
