import EmblemCLI
import Flags
import Foundation
import Raster
import Support
import Testing

/// Every way in which a command receives an untrusted file.
struct StrangerVisit: CustomTestStringConvertible, Sendable {
    /// The name of the command in the help.
    let command: String
    let more: [String]
    /// Whether the command renders the drawing, and does not only read or skip it.
    let isDrawn: Bool
    let status: Int32
    /// The text of standard input.
    let input: String

    init(
        _ command: String, _ more: String, input: String = "", isDrawn: Bool = false,
        status: Int32 = 0
    ) {
        self.input = input
        self.command = command
        self.more = more.split(separator: " ").map { String($0) }
        self.isDrawn = isDrawn
        self.status = status
    }

    var words: [String] { command.split(separator: " ").map { String($0) } + more }

    var testDescription: String { words.joined(separator: " ") }

    static let all: [StrangerVisit] = [
        StrangerVisit("batch", "in.svg -o out", isDrawn: true),
        StrangerVisit("batch", "in.svg -o out --format webp --scheme dark", isDrawn: true),
        StrangerVisit("batch", "--list list.txt -o out", isDrawn: true),
        StrangerVisit("batch", "good.png --placeholder in.svg -o out", isDrawn: true),
        StrangerVisit("batch", "in.svg -o out --dry-run"),
        StrangerVisit("batch", "good.png --theme in.svg -o out", status: 65),
        StrangerVisit("render emblem", "in.svg -o o.png", isDrawn: true),
        StrangerVisit("render emblem", "in.svg -o o.svg", isDrawn: true),
        StrangerVisit(
            "render emblem", "none.png --placeholder in.svg -o o.png", isDrawn: true, status: 66),
        StrangerVisit(
            "render emblem", "--icon check --placeholder in.svg -o o.svg", isDrawn: true),
        StrangerVisit("render avatar", "in.svg -o o.png", isDrawn: true),
        StrangerVisit("render avatar", "in.svg -o o.svg", isDrawn: true),
        StrangerVisit("render badge", "--text T --theme in.svg -o o.png", status: 65),
        StrangerVisit("render state", "--icon in.svg --title T -o o.png", isDrawn: true),
        StrangerVisit("render state", "--icon in.svg --title T -o o.svg", isDrawn: true),
        StrangerVisit("render state", "--icon in.svg --title T -o o.html", isDrawn: true),
        StrangerVisit("render state", "--strings in.svg -o o.png", status: 65),
        StrangerVisit("render shimmer", "--theme in.svg -o o.png", status: 65),
        StrangerVisit("inspect", "in.svg", isDrawn: true),
        StrangerVisit("inspect", "in.svg --json", isDrawn: true),
        StrangerVisit("theme", "in.svg", status: 65),
        StrangerVisit("verify", "done", status: 2),
        StrangerVisit("failures", "done"),
        StrangerVisit(
            "stream", "--layout small", input: "{\"source\":\"in.svg\"}\n", isDrawn: true),
        StrangerVisit("bench", "in.svg --rounds 1 --quiet", isDrawn: true),
        // These commands take no file.
        StrangerVisit("formats", ""),
        StrangerVisit("diff", "done done"),
        StrangerVisit("cache", "--cache done", status: 64),
        StrangerVisit("cache", "clear --cache in.svg", status: 64),
        StrangerVisit("completions", "bash"),
        StrangerVisit("man", ""),
    ]
}

@Suite("Decoding of untrusted drawings", .ownThreads)
struct DecodedElsewhereTests {
    /// A preloaded library that replaces functions of librsvg. It creates a file if a process that
    /// was started as a program opens a document. Workers are forked, or are started without the
    /// library.
    private static let witness = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <pthread.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        typedef void *finding(void *, const char *);
        typedef void *opening(void *, void *, void *, void *, void *, void *);
        static int is_worker;
        static void divided(void) { is_worker = 1; }
        __attribute__((constructor)) static void start(void) {
            pthread_atfork(NULL, NULL, divided);
        }
        #define OPENING(name) \\
            static opening *real_##name; \\
            static void *name(void *a, void *b, void *c, void *d, void *e, void *f) { \\
                if (!is_worker) close(open(getenv("SEEN"), O_WRONLY | O_CREAT, 0644)); \\
                return real_##name(a, b, c, d, e, f); \\
            }
        #define OPENINGS(DO) \\
            DO(rsvg_handle_new) \\
            DO(rsvg_handle_new_with_flags) \\
            DO(rsvg_handle_new_from_data) \\
            DO(rsvg_handle_new_from_file) \\
            DO(rsvg_handle_new_from_gfile_sync) \\
            DO(rsvg_handle_new_from_stream_sync)
        OPENINGS(OPENING)
        #define WATCHED(name) \\
            if (found != NULL && strcmp(asked, #name) == 0) { \\
                real_##name = (opening *)found; \\
                return (void *)name; \\
            }
        void *dlsym(void *library, const char *asked) {
            void *found =
                ((finding *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34"))(library, asked);
            OPENINGS(WATCHED)
            return found;
        }
        """

    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'>"
                + "<filter id='f'><feTurbulence numOctaves='3'/></filter>"
                + "<rect width='40' height='20' filter='url(#f)'/></svg>", to: "in.svg")
        try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "good.png")
        try folder.write("in.svg\n", to: "list.txt")
        let made = try Tool.emblem(
            ["batch", "good.png", "-o", "done", "--layout", "small"], in: folder.path)
        try #require(made.status == 0, "\(made.errors)")
        try folder.write(try folder.read("in.svg"), to: "done/small/good.png")
        try folder.write(witness, to: "witness.c")
        let build = try Tool.run(
            "/usr/bin/cc", ["-shared", "-fPIC", "witness.c", "-o", "witness.so", "-ldl"],
            in: folder.path)
        try #require(build.status == 0, "\(build.errors)")
        return folder
    }

    /// Runs the command; returns its exit code, and whether a program opened a document.
    private static func run(
        _ words: [String], _ visit: StrangerVisit, in folder: ScratchFolder
    ) throws -> (ending: Tool.Ending, isSeen: Bool) {
        for name in ["out", "o.png", "o.svg", "o.html", "seen"] { folder.remove(name) }
        let ending = try Tool.emblem(
            words, in: folder.path,
            environment: [
                "LD_PRELOAD": folder.path("witness.so"), "SEEN": folder.path("seen"),
            ], input: Array(visit.input.utf8))
        return (ending, folder.exists("seen"))
    }

    @Test(
        "only a worker reads an untrusted drawing, for every command and option",
        arguments: StrangerVisit.all)
    func commands(visit: StrangerVisit) throws {
        let folder = try Self.folder()
        let (ending, isSeen) = try Self.run(visit.words, visit, in: folder)
        #expect(ending.status == visit.status, "\(ending.errors)")
        #expect(!isSeen)
        // The library must work: without isolation, the process itself reads the drawing.
        guard visit.isDrawn else { return }
        let bare = try Self.run(visit.words + ["--sandbox", "none"], visit, in: folder)
        #expect(bare.ending.status == visit.status, "\(bare.ending.errors)")
        #expect(bare.isSeen)
    }

    @Test("the test of decoding in workers covers every command")
    func everyCommand() {
        let commands = CommandLineTool.tool.commands.map(\.name)
        #expect(Set(commands) == Set(StrangerVisit.all.map(\.command)))
    }
}
