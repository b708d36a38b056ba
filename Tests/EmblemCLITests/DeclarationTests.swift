import EmblemCLI
import Flags
import Notation
import Testing

@Suite struct DeclarationTests {
    private let tool = Tool(
        name: "emblem", version: "0", summary: "s", commands: Declarations.all,
        keptFromConfiguration: ["allow-private", "header", "header-file", "netrc"])

    @Test(
        "no option is declared twice, every default is a value of its kind",
        arguments: Declarations.all)
    func sound(command: Command) {
        #expect(Set(command.flags.map(\.name)).count == command.flags.count)
        let shorts = command.flags.compactMap(\.short)
        #expect(Set(shorts).count == shorts.count && !shorts.contains("h"))
        for flag in command.flags {
            #expect(flag.help.hasSuffix("."), "\(flag.name)")
            #expect(flag.placeholder.isEmpty == !flag.kind.takesValue, "\(flag.name)")
            if case .value(let text) = flag.fallback {
                #expect(flag.kind.problem(with: text) == nil, "\(flag.name)")
            }
        }
        #expect(!command.examples.isEmpty && !command.summary.hasSuffix("."))
    }

    @Test("an option of one name means the same kind of thing everywhere it is a setting")
    func namesAgree() {
        let settings = Declarations.all.flatMap(\.flags).filter(\.isInConfiguration)
        for (name, flags) in Dictionary(grouping: settings, by: \.name) {
            #expect(Set(flags.map(\.kind.takesValue)).count == 1, "\(name)")
        }
    }

    @Test("the options of the batch have the defaults that are documented")
    func defaults() throws {
        let batch = try ParsedArguments(tool, Declarations.batch, arguments: ["a", "-o", "out"])
        #expect(
            batch.text("layout") == "all"
                && batch.scales("scale") == [1])
        #expect(
            batch.text("mode") == "fit" && batch.text("appearance") == "brand"
                && batch.text("scheme") == "light")
        #expect(
            batch.decimal("padding") == 0 && batch.decimal("border") == 0
                && batch.text("width") == "square")
        #expect(
            batch.text("corner") == "circular" && batch.text("tint") == "auto"
                && batch.text("upscale") == "always")
        #expect(!batch.toggle("linear") && batch.text("placeholder") == "icon:account-balance")
        #expect(
            batch.text("format") == "png" && batch.quality("quality") == nil
                && batch.color("matte") == nil)
        #expect(batch.whole("memory") == 512 << 20 && batch.whole("max-bytes") == 20 << 20)
        #expect(batch.whole("max-pixels") == 50_000_000 && batch.whole("jobs") == nil)
        #expect(batch.text("isolate") == "process" && batch.text("progress") == "auto")
        #expect(batch.whole("connections") == 64 && batch.whole("per-host") == 6)
        #expect(batch.decimal("timeout") == 10 && batch.decimal("item-timeout") == 30)
        #expect(batch.whole("retries") == 2 && batch.whole("max-redirects") == 5)
        #expect(batch.whole("cache-size") == 1 << 30 && !batch.toggle("allow-private"))
        let single = try ParsedArguments(tool, Declarations.renderEmblem, arguments: [])
        #expect(single.text("layout") == "medium" && single.text("scale") == "1")
    }

    @Test("values that no option takes are refused")
    func refused() {
        for words in [
            ["--isolate", "both"], ["--scheme", "dim"], ["--layout", "huge"],
            ["--timeout", "0"], ["--retries", "-1"], ["--connections", "0"],
        ] {
            #expect(throws: UsageError.self) {
                try ParsedArguments(tool, Declarations.batch, arguments: words)
            }
        }
    }

    @Test("the examples of every command can be typed", arguments: Declarations.all)
    func examples(command: Command) throws {
        for example in command.examples where example.line.hasPrefix("emblem ") {
            let words = example.line.prefix { $0 != "|" && $0 != ">" }.split(separator: " ").map(
                String.init)
            let (found, rest) = try tool.split(Array(words.dropFirst()))
            #expect(found == command)
            _ = try ParsedArguments(tool, found, arguments: rest)
        }
    }
}
