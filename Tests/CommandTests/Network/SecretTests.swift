import Support
import Testing

@Suite("Passwords in sources", .ownThreads)
struct SecretTests {
    /// Sources with secrets, one for each spelling; none of them is fetched.
    private static let spellings = [
        "ftp://u:s3cr3t@h/x.png", "//u:s3cr3t@h", "//u:s3cr3t@h/x.png",
        "http://u:s3cr3t@127.0.0.1/",
        "http://u:s3cr3t/x@127.0.0.1", "http://127.0.0.1/a/h://u:s3cr3t@h",
        "http:\\\\u:s3cr3t@h\\x", "HTTP://U:s3cr3t@H", "GOPHER://u:s3cr3t@h/y.png",
        "http://u%3As3cr3t%40h/x", "u:s3cr3t@h", "user:s3cr3t@h/x.png", "s3cr3t:x@h",
        "http:u:s3cr3t@h", "http:///u:s3cr3t@h", "x=http://u:s3cr3t@h/z.png", "http://u:s3cr3t@",
    ]

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
            #expect(!(run.output + run.errors).contains("s3cr3t"), "\(words): \(run)")
        }
    }
}
