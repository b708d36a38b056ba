import Support
import Testing

@Suite("emblem stream", .ownThreads)
struct StreamTests {
    /// Runs a shell command in which STREAM is replaced by the command and its options.
    private static func shell(
        _ line: String, _ options: String = "", in folder: ScratchFolder
    ) throws -> Tool.Ending {
        let stream = "\(Tool.path(of: "emblem")) stream \(options)"
        return try Tool.run(
            "/bin/bash", ["-c", line.replacing("STREAM", with: stream)], in: folder.path)
    }

    @Test("emblem stream ends at once with its workers when the reader closes the pipe")
    func readerGone() throws {
        let folder = try ScratchFolder()
        folder.makeFIFO("rows")
        folder.makeFIFO("frames")
        // The rows never end, and the reader stops after the first frame.
        let run = try Self.shell(
            """
            STREAM < rows > frames & stream=$!
            exec 3> rows 4< frames
            echo '{"source":"icon:person"}' >&3
            head -c 1 <&4 > /dev/null
            workers=$(pgrep -P $stream)
            exec 4<&-
            wait $stream; echo $?
            runs() { grep -s '^State:' /proc/$1/status | grep -v Z; }
            for worker in $workers; do
                for look in $(seq 1000); do runs $worker > /dev/null || break; sleep 0.01; done
                runs $worker
            done
            """, in: folder)
        #expect(run.output == "74\n", "\(run)")
        #expect(
            run.errors.contains("emblem: error: cannot write the output: Broken pipe"),
            "\(run)")
    }

    @Test(
        "a signal ends emblem stream in time even if no process reads its output",
        arguments: [("TERM", "143"), ("INT", "130")])
    func unreadSignal(signal: String, code: String) throws {
        let folder = try ScratchFolder()
        folder.makeFIFO("rows")
        folder.makeFIFO("frames")
        // More rows than the pipe and its readers can buffer.
        for after in ["", "exec 4<&-", "sleep 0.2; exec 4<&-"] {
            let run = try Self.shell(
                """
                # Without job control, the shell would let background jobs ignore SIGINT.
                set -m
                STREAM < rows > frames & stream=$!
                exec 3> rows 4< frames
                yes '{"source":"icon:person"}' >&3 & rows=$!
                head -c 1 <&4 > /dev/null
                sleep 0.5
                kill -\(signal) $stream; \(after)
                for look in $(seq 1000); do
                    kill -0 $stream 2> /dev/null || break
                    sleep 0.01
                done
                kill -0 $stream 2> /dev/null && kill -KILL $stream
                wait $stream; echo $?
                kill $rows
                """, "--layout small", in: folder)
            #expect(run.output == "\(code)\n", "\(after): \(run)")
        }
    }

    @Test("emblem stream needs bounded memory for any number of rows and a slow reader")
    func slowReader() throws {
        let folder = try ScratchFolder()
        try folder.write(
            """
            import json, subprocess, sys, threading, time
            p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            fill = "x" * 2000
            def feed():
                for i in range(60000):
                    row = {"key": i, "source": "icon:person", "id": "i%d" % i, "note": fill}
                    p.stdin.write(json.dumps(row).encode() + b"\\n")
                p.stdin.close()
            threading.Thread(target=feed).start()
            # How slowly is what is tried: the tool has as long to fill its memory.
            time.sleep(1)
            count = most = 0
            for line in p.stdout:
                for output in json.loads(line)["outputs"]:
                    p.stdout.read(output["bytes"])
                count += 1
                if count % 5000 == 1:
                    status = open("/proc/%d/status" % p.pid).read()
                    most = max(most, int(status.split("VmHWM:")[1].split()[0]))
            print(count, p.wait(), most // 1024)
            """, to: "slow.py")
        let run = try Tool.run(
            "/usr/bin/env",
            [
                "python3", "slow.py", Tool.path(of: "emblem"), "stream", "--layout", "small",
                "--memory", "64M",
            ], in: folder.path)
        let numbers = run.output.split(separator: " ").compactMap {
            Int($0.filter(\.isNumber))
        }
        try #require(numbers.count == 3, "\(run)")
        #expect(numbers[0] == 60_000 && numbers[1] == 0)
        // The rows alone have 120 MB.
        #expect(numbers[2] < 64 + 60, "\(run.output)")
    }
}
