import Notation
import Raster
import Support
import Testing

@Suite("Passwords in sources", .ownThreads)
struct SecretTests {
    private static let secret = "s3cr3t"

    /// Sources with secrets, one for each spelling; none of them is fetched.
    private static let spellings = [
        "ftp://u:s3cr3t@h/x.png", "//u:s3cr3t@h", "//u:s3cr3t@h/x.png",
        "http://u:s3cr3t@127.0.0.1/",
        "http://u:s3cr3t/x@127.0.0.1", "http://127.0.0.1/a/h://u:s3cr3t@h",
        "http:\\\\u:s3cr3t@h\\x", "HTTP://U:s3cr3t@H", "GOPHER://u:s3cr3t@h/y.png",
        "http://u%3As3cr3t%40h/x", "u:s3cr3t@h", "user:s3cr3t@h/x.png", "s3cr3t:x@h",
        "http:u:s3cr3t@h", "http:///u:s3cr3t@h", "x=http://u:s3cr3t@h/z.png", "http://u:s3cr3t@",
    ]

    private static func expectNothing(_ text: String, _ name: String) {
        #expect(!text.contains(secret), "\(name): \(text)")
    }

    @Test("passwords in sources appear in no file that a run writes")
    func runs() throws {
        let folder = try ScratchFolder()
        var rows = ["source,id,label,placeholder,url,note"]
        for (index, spelling) in Self.spellings.enumerated() {
            rows.append("\(spelling),,,,,")
            rows.append("\" \(spelling)\",with-\(index),,,,")
            rows.append("\"\t\(spelling)\",,,,,see http://u:s3cr3t@h/\(index)")
            rows.append("gone-\(index).png,http://u:s3cr3t@h/\(index),ftp://u:s3cr3t@h,,,")
            rows.append("a.png,,,\(spelling),\(spelling),")
        }
        rows.append("x,y,z,w,\(Self.spellings[0]),v,too many")
        try folder.write(rows.joined(separator: "\n") + "\n", to: "list.csv")
        try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "a.png")
        let common = ["batch", "--list", "list.csv", "--layout", "small"]
        let dry = try Tool.emblem(common + ["-o", "dry", "--dry-run"], in: folder.path)
        #expect(dry.status == 0, "\(dry.errors)")
        Self.expectNothing(dry.output + dry.errors, "--dry-run")
        let said = ["--report", "-v", "--progress", "json", "--retries", "0", "--cache", "none"]
        let run = try Tool.emblem(common + ["-o", "out"] + said, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        Self.expectNothing(run.output + run.errors, "messages")
        for name in folder.tree("out", hidden: true) {
            Self.expectNothing(name, "a name")
            Self.expectNothing(try folder.text("out/\(name)"), name)
        }
        for form in [[], ["--csv"], ["--json"]] {
            let failures = try Tool.emblem(["failures", "out"] + form, in: folder.path)
            #expect(failures.status == 0, "\(failures.errors)")
            Self.expectNothing(failures.output + failures.errors, "failures \(form)")
        }
    }

    @Test("a masked password must be restored before failures are retried, and no mask is sent")
    func fedAgain() throws {
        let folder = try ScratchFolder()
        try folder.write(
            "http://u:s3cr3t@127.0.0.1:1/x.png\nhttp://127.0.0.1:1/y.png?key=s3cr3t\n",
            to: "list.txt")
        let open = ["--allow-private", "--retries", "0", "--cache", "none", "--redact-queries"]
        let run = try Tool.emblem(
            ["batch", "--list", "list.txt", "-o", "out"] + open, in: folder.path)
        #expect(run.status == 75, "\(run.errors)")
        let failures = try Tool.emblem(["failures", "out", "--csv"], in: folder.path)
        #expect(failures.errors.contains("2 sources had"), "\(failures.errors)")
        try folder.write(failures.output, to: "again.csv")
        let again = try Tool.emblem(
            ["batch", "--list", "again.csv", "-o", "two"] + open, in: folder.path)
        #expect(again.status == 0, "\(again.errors)")
        let classes = try ManifestText(folder, "two").items.map {
            $0[path: ["error", "class"]]?.stringValue
        }
        #expect(classes == ["bad_url", "bad_url"])
    }

    @Test("passwords in sources appear in no message", arguments: spellings)
    func messages(_ spelling: String) throws {
        let folder = try ScratchFolder()
        for words in [
            ["batch", spelling, "-o", "out"], ["batch", "--list", spelling, "-o", "out"],
            ["inspect", spelling], ["inspect", "--json", spelling],
            ["render", "emblem", spelling, "-o", "x.png"],
            ["render", "emblem", spelling, "-o", "x.svg"],
            ["render", "avatar", spelling, "-o", "x.png"],
            ["render", "state", "--icon", "./\(spelling)", "--title", "T", "-o", "x.png"],
            ["batch", "a.png", "--theme", spelling, "-o", "out"],
            ["batch", "a.png", "--mode", spelling, "-o", "out"],
            ["batch", "a.png", "--placeholder", spelling, "-o", "out"],
            ["theme", "check", spelling], ["verify", spelling], ["failures", spelling],
        ] {
            let run = try Tool.emblem(words, in: folder.path)
            Self.expectNothing(run.output + run.errors, "\(words)")
        }
    }
}
