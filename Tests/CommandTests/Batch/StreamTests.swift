import Glibc
import Notation
import Raster
import Support
import Testing

@Suite("emblem stream", .ownThreads)
struct StreamTests {
    private struct Ending {
        let status: Int32
        let frames: [StreamFrame]
        let errors: String
    }

    /// Runs a shell command in which STREAM is replaced by the command and its options.
    private static func shell(
        _ line: String, _ options: String = "", in folder: ScratchFolder
    ) throws -> Tool.Ending {
        let stream = "\(Tool.path(of: "emblem")) stream \(options)"
        return try Tool.run(
            "/bin/bash", ["-c", line.replacing("STREAM", with: stream)], in: folder.path)
    }

    private static func run(
        _ rows: [UInt8], _ options: String = "", in folder: ScratchFolder
    ) throws -> Ending {
        try folder.write(rows, to: "rows")
        let run = try shell("STREAM < rows > frames", options, in: folder)
        return Ending(
            status: run.status, frames: try StreamFrame.all(in: folder.read("frames")),
            errors: run.errors)
    }

    @Test("emblem stream returns the same records and bytes as batch for each row")
    func equalsBatch() throws {
        let folder = try Pictures.mixedFolder()
        let names = folder.tree("in").filter { !$0.hasSuffix(".txt") }
        let rows = names.enumerated().map { index, name in
            "{\"source\":\"in/\(name)\",\"id\":\"item-\(index)\",\"label\":\"No \(index)\"}\n"
        }.joined()
        let look = "--layout small,large --scale 1,2 --format webp"
        let stream = try Self.run(Array(rows.utf8), look, in: folder)
        #expect(stream.status == 0 && stream.errors.isEmpty, "\(stream.errors)")
        try folder.write(rows, to: "rows.ndjson")
        let batch = try Tool.emblem(
            ["batch", "--list", "rows.ndjson", "-o", "out"]
                + look.split(separator: " ").map(String.init),
            in: folder.path)
        #expect(batch.status == 0, "\(batch.errors)")
        let items = try folder.text("out/manifest.ndjson").split(separator: "\n").filter {
            $0.contains("\"type\":\"item\"")
        }.map(String.init)
        #expect(stream.frames.count == names.count && items.count == names.count)
        for frame in stream.frames {
            var json = JSONWriter()
            json.write(frame.record)
            #expect(items.contains(String(decoding: json.bytes, as: UTF8.self)))
            let paths = frame.record["outputs"]?.elements?.compactMap { $0["path"]?.stringValue }
            for (path, picture) in zip(paths ?? [], frame.pictures) {
                #expect(try folder.read("out/\(path)") == picture, "\(path)")
            }
            #expect(frame.pictures.count == 4)
        }
    }

    @Test("emblem stream draws a picture inside a row and returns each key unchanged")
    func picturesOfRows() throws {
        let folder = try ScratchFolder()
        let picture = try Pictures.disc(.black, width: 60, height: 40)
        var rows: [UInt8] = []
        let keys = ["\"a\"", "7", "1.50", "null", "{\"x\":[1,true]}"]
        for (index, key) in keys.enumerated() {
            rows += "{\"key\":\(key),\"id\":\"p\(index)\",\"bytes\":\(picture.count)}\n".utf8
            rows += picture
        }
        let ending = try Self.run(rows, "--layout small", in: folder)
        #expect(ending.status == 0 && ending.frames.count == keys.count)
        for frame in ending.frames {
            let index = try #require(frame.record["index"]?.intValue)
            #expect(frame.key?.text == keys[index])
            #expect(frame.record["status"]?.stringValue == "ok")
            #expect(frame.record[path: ["input", "bytes"]]?.intValue == picture.count)
        }
        #expect(Set(ending.frames.map(\.pictures)).count == 1)
    }

    @Test("emblem stream returns the bytes for each row with the same source and name")
    func equalRows() throws {
        let folder = try Pictures.mixedFolder()
        let row = "{\"source\":\"in/acme.png\",\"id\":\"same\"}\n"
        let ending = try Self.run(
            Array(String(repeating: row, count: 40).utf8), "--layout small", in: folder)
        #expect(ending.frames.count == 40)
        #expect(Set(ending.frames.map(\.pictures)).count == 1)
    }

    @Test("emblem stream returns an error record for an invalid row")
    func badRows() throws {
        let folder = try ScratchFolder()
        let rows = """
            {"key":1,"source":"icon:person","layout":"huge"}
            {"key":2,"source":"icon:person","appearance":"pink"}
            {"key":3,"source":"icon:person","badge":"x:loud"}
            {"key":4,"source":["a"]}
            {"key":5,"source":"icon:moon"}
            not json
            12
            {"key":7}
            {"key":8,"bytes":0}

            "icon:person"

            """
        let ending = try Self.run(Array(rows.utf8), in: folder)
        #expect(ending.status == 0)
        let frames = ending.frames.sorted {
            ($0.record["index"]?.intValue ?? 0) < ($1.record["index"]?.intValue ?? 0)
        }
        #expect(
            frames.map(\.errorClass) == [
                "bad_row", "bad_row", "bad_row", "bad_row", "bad_row", "bad_row", "bad_row",
                "missing_url", "not_image", nil,
            ])
        let messages = frames.map { $0.record[path: ["error", "message"]]?.stringValue ?? "" }
        #expect(messages[0].contains("layout") && messages[0].contains("small, medium, large"))
        #expect(messages[1].contains("appearance") && messages[1].contains("category10"))
        #expect(messages[2].contains("badge"))
        #expect(messages[3].contains("source"))
        #expect(messages[4].contains("source: unknown value \"moon\"; use "))
        #expect(frames.allSatisfy { $0.pictures.count == 4 })
    }

    @Test(
        "emblem stream ends with an error at an unreadable length, after the rows before it",
        arguments: [
            "{\"bytes\":-1}\n", "{\"bytes\":\"x\"}\n", "{\"bytes\":1.5}\n", "{\"bytes\":10}\nabc",
            "{\"bytes\":5,,}\nabcde", "{\"bytes\":1e30}\n", "{\"bytes\":18446744073709551617}\n",
            "{\"bytes\":999999999999}\nabc", "{\"key\":1,\"url\":\"http://127",
            "{\"Bytes\":5,,}\nabcde",
            "{\"bytes\":2}\nabc{\"key\":3}\n", "{\"bytes\":2}\nab\"icon:person\"\n",
        ])
    func brokenFrames(_ frame: String) throws {
        let folder = try ScratchFolder()
        let ending = try Self.run(
            Array(("{\"source\":\"icon:person\"}\n" + frame).utf8), in: folder)
        #expect(ending.status == 65)
        // Row 1 precedes the broken frame, so it is answered.
        let whole = ending.frames.filter { $0.record["index"]?.intValue == 0 }
        #expect(whole.count == 1 && whole.first?.errorClass == nil)
        #expect(ending.errors.contains("row 2"), "\(ending.errors)")
    }

    @Test("an error record shows the start of its row without passwords or hidden escapes")
    func beginnings() throws {
        let folder = try ScratchFolder()
        let rows = [
            #"{"key":1,"source":"icon:person","layout":"huge"}"#,
            "not json " + String(repeating: "x", count: 200),
            #"{"url":"http://u:secret@host/x","#,
            #"{"url":"http:\/\/u:secret\u0040host\u002Fx","layout":"huge"}"#,
            #"{"key":5,"source":"icon:person"}"#,
        ]
        let ending = try Self.run(
            Array(rows.joined(separator: "\n").utf8), "--layout small", in: folder)
        #expect(ending.status == 0, "\(ending.errors)")
        let frames = ending.frames.sorted {
            ($0.record["index"]?.intValue ?? 0) < ($1.record["index"]?.intValue ?? 0)
        }
        let beginnings = frames.map { $0.record["beginning"]?.stringValue }
        try #require(beginnings.count == rows.count)
        #expect(beginnings[0] == rows[0])
        #expect(beginnings[1]?.count == 100 && beginnings[1]?.hasPrefix("not json xxx") == true)
        for text in beginnings[2...3] {
            #expect(text?.contains("***@host") == true && text?.contains("secret") == false)
        }
        #expect(beginnings[4] == nil)
    }

    @Test("emblem stream reports an overlong row as bad and reads the rows behind it")
    func longRow() throws {
        let folder = try ScratchFolder()
        let long = "{\"key\":1,\"note\":\"" + String(repeating: "y", count: 9 << 20) + "\"}\n"
        let ending = try Self.run(
            Array((long + "{\"key\":2,\"source\":\"icon:person\"}\n").utf8), "--layout small",
            in: folder)
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(Set(ending.frames.map(\.errorClass)) == ["bad_row", nil])
        let bad = try #require(ending.frames.first { $0.errorClass == "bad_row" })
        #expect(
            bad.record["beginning"]?.stringValue?.hasPrefix("{\"key\":1,\"note\":\"yyy") == true)
        let announcing = long.dropLast(3) + "\",\"bytes\":3}\nabc"
        let broken = try Self.run(Array(announcing.utf8), in: folder)
        #expect(broken.status == 65 && broken.errors.contains("row 1"), "\(broken.errors)")
        let cut = try Self.run(Array(long.dropLast().utf8), in: folder)
        #expect(cut.status == 65 && cut.errors.contains("inside row 1"), "\(cut.errors)")
    }

    @Test("emblem stream ignores the case of column names, and --columns renames them")
    func names() throws {
        let folder = try ScratchFolder()
        let picture = try Pictures.disc(.black, width: 60, height: 40)
        var rows = Array("{\"Key\":1,\"Bytes\":\(picture.count)}\n".utf8) + picture
        rows += "{\"KEY\":2,\"logo_url\":\"icon:person\",\"url\":\"a page\"}\n".utf8
        let ending = try Self.run(
            rows, "--layout small --columns source=logo_url", in: folder)
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(Set(ending.frames.compactMap(\.key?.text)) == ["1", "2"])
        #expect(ending.frames.allSatisfy { $0.errorClass == nil })
        let named = ending.frames.first { $0.key?.text == "2" }
        #expect(named?.record["source"]?.stringValue == "icon:person")
    }

    @Test("--summary ends a complete stream with its counts, and a broken one without them")
    func summary() throws {
        let folder = try ScratchFolder()
        let rows = "{\"source\":\"icon:person\"}\n{\"key\":1}\n"
        for (text, status) in [(rows, Int32(0)), (rows + "{\"key\":", 65)] {
            let ending = try Self.run(Array(text.utf8), "--summary --layout small", in: folder)
            #expect(ending.status == status, "\(ending.errors)")
            let last = try #require(ending.frames.last?.record)
            #expect((last["type"]?.stringValue == "summary") == (status == 0))
            guard status == 0 else { continue }
            #expect(ending.frames.count == 3)
            let counts = ["items", "ok", "placeholder", "failed"].map { last[$0]?.intValue }
            #expect(counts == [2, 1, 1, 0])
            #expect(last[path: ["errors", "missing_url"]]?.intValue == 1)
        }
    }

    @Test(
        "--strict and --max-failures end a stream with 1 after its last record",
        arguments: [
            ("--strict", 1), ("--max-failures 0", 1), ("--max-failures 1", 0),
            ("--max-failures 49%", 1),
        ] as [(String, Int32)])
    func gates(_ option: String, _ status: Int32) throws {
        let folder = try ScratchFolder()
        let rows = "{\"source\":\"icon:person\"}\n{\"key\":1}\n"
        let ending = try Self.run(Array(rows.utf8), "--layout small \(option)", in: folder)
        #expect(ending.status == status && ending.frames.count == 2, "\(ending.errors)")
        #expect(ending.errors.contains("1 item is without a new picture") == (status == 1))
    }

    @Test("emblem stream skips a picture over the size limit and reads the rows after it")
    func tooLarge() throws {
        let folder = try ScratchFolder()
        let rows =
            Array("{\"key\":1,\"bytes\":70000}\n".utf8) + [UInt8](repeating: 0x0A, count: 70_000)
            + Array("{\"key\":2,\"source\":\"icon:person\"}\n".utf8)
        let ending = try Self.run(rows, "--max-bytes 65536", in: folder)
        #expect(ending.status == 0)
        let classes = ending.frames.map { ($0.key?.text ?? "") + ($0.errorClass ?? "") }
        #expect(Set(classes) == ["1too_large", "2"])
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

    @Test("emblem stream exits with 74 if standard output is full or closed")
    func noOutput() throws {
        let folder = try ScratchFolder()
        try folder.write("{\"source\":\"icon:person\"}\n", to: "rows")
        for place in ["/dev/full", "&-"] {
            let run = try Self.shell("STREAM < rows >\(place); echo $? >&2", in: folder)
            #expect(
                run.errors.contains("emblem: error: cannot write the output: "), "\(run)")
            #expect(run.errors.hasSuffix("74\n"), "\(run)")
        }
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

    @Test("SIGTERM lets rows in progress finish, and no partial frame is written")
    func terminated() throws {
        let folder = try ScratchFolder()
        folder.makeFIFO("rows")
        let run = try Self.shell(
            """
            STREAM < rows > frames & stream=$!
            exec 3> rows
            for i in $(seq 1 200); do echo "{\\"key\\":$i,\\"source\\":\\"icon:person\\"}" >&3; done
            while [ ! -s frames ]; do sleep 0.01; done
            kill -TERM $stream; wait $stream; echo $?
            """, in: folder)
        #expect(run.output == "143\n", "\(run)")
        #expect(try !StreamFrame.all(in: folder.read("frames")).isEmpty)
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

    @Test("emblem stream refuses to write to a terminal")
    func terminal() throws {
        let folder = try ScratchFolder()
        let run = try Self.shell("script -qec 'STREAM < /dev/null' /dev/null; echo $?", in: folder)
        #expect(run.output.contains("to a terminal"))
        #expect(run.output.hasSuffix("64\n"))
    }
}
