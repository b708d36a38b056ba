import Flags
import Testing

@Suite struct HelpTests {
    @Test("the help of a command shows usage, groups, defaults and examples")
    func command() {
        let text = HelpText(Sample.tool, columns: 72).command(Sample.paint)
        for part in [
            "artist paint: put colour on walls\n", "\nUsage: artist paint [WALL…] [options]\n",
            "\nFirst paragraph.\n\nArguments:",
            "\nWhere:\n", "\nHow:\n", "  -o, --output DIR", "--linear",
            "Finish of the paint. [values: matt, gloss]",
            "[default: cores]", "[repeatable]",
            "\nExamples:\n  Paint the hall:\n    artist paint hall -o out\n",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test(
        "no help line is wider than the terminal, within reason",
        arguments: [1, 60, 500])
    func width(columns: Int) {
        let help = HelpText(Sample.tool, columns: columns)
        let pages = [help.overview(), help.family("shop")] + Sample.tool.commands.map(help.command)
        for line in pages.joined().split(separator: "\n") {
            #expect(line.count <= min(100, max(40, columns)), "\(line)")
        }
    }

    @Test("help shows the first paragraph of a text, and the manual all of it")
    func details() {
        let help = HelpText(Sample.tool).command(Sample.paint)
        #expect(help.contains("Painters at work at once. [default: cores]"))
        #expect(!help.contains("As many as fit") && !help.contains("Second paragraph"))
        #expect(help.contains("'artist man' explains the options in more detail."))
        for text in ["As many as fit into the room.", "No more than 64.", "Second paragraph."] {
            #expect(ManualPage.text(Sample.tool).contains(text))
        }
        #expect(!Completions.script(Sample.tool, for: .zsh).contains("As many as fit"))
    }

    @Test("options have headings, and options of the base command are listed only there")
    func sections() throws {
        #expect(
            Sample.tool.sections(of: Sample.paint).map(\.heading) == ["Where", "How", "Advanced"])
        let other = try #require(Sample.tool.command("repaint"))
        #expect(Sample.tool.sections(of: other).map { $0.flags } == [[Sample.again.flag]])
        #expect(!HelpText(Sample.tool).command(other).contains("--jobs"))
    }

    @Test("the overview of help names every command and shows examples")
    func overview() {
        let text = HelpText(Sample.tool).overview()
        #expect(text.contains("\nWork:\n  paint    put colour on walls\n  repaint  paint again\n"))
        #expect(text.hasSuffix("See also 'artist shop'.\n"), "\(text)")
        #expect(text.contains("\nExamples:\n  Paint the hall:\n    artist paint hall -o out\n"))
        #expect(HelpText(Sample.tool).family("shop").contains("artist shop buy THING"))
    }
}

@Suite struct PagesTests {
    @Test("the manual has its sections and no accidental roff request")
    func manual() {
        let page = ManualPage.text(Sample.tool)
        for section in ["NAME", "SYNOPSIS", "COMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS"] {
            #expect(page.contains("\n.SH \(section)\n"))
        }
        let requests = ["TH", "SH", "SS", "B", "I", "br", "PP", "TP", "RS", "RE", "nf", "fi"]
        for line in page.split(separator: "\n") where line.hasPrefix(".") {
            #expect(requests.contains(String(line.dropFirst().prefix { $0 != " " })), "\(line)")
        }
        #expect(page.contains(".B \\-o, \\-\\-output DIR\n"))
    }

    @Test("the manual lists every exit code in ascending order")
    func exitCodes() throws {
        let page = ManualPage.text(Sample.tool)
        let status = try #require(page.firstRange(of: ".SH EXIT STATUS\n")).upperBound
        let told = page[status...].matches(of: /(?m)^\.B ([0-9, ]+)$/)
            .flatMap { $0.1.split(separator: ", ").compactMap { Int($0) } }
        #expect(told == [0, 1, 2, 64, 65, 66, 69, 73, 74, 75, 130, 143])
    }

    @Test(
        "completion of every shell offers every command and option",
        arguments: Completions.Shell.allCases)
    func completions(shell: Completions.Shell) {
        let script = Completions.script(Sample.tool, for: shell)
        for command in Sample.tool.commands {
            for word in command.words { #expect(script.contains(word)) }
            for flag in command.flags { #expect(script.contains(flag.name)) }
        }
        for word in ["matt", "cellar", "bucket", "all"] { #expect(script.contains(word)) }
    }
}
