import Flags
import Testing

@Suite struct PagesTests {
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
            #expect(Sample.tool.manualPage.contains(text))
        }
        #expect(!Sample.tool.completions(for: .zsh).contains("As many as fit"))
    }

    @Test("the manual lists every exit code in ascending order")
    func exitCodes() throws {
        let page = Sample.tool.manualPage
        let status = try #require(page.firstRange(of: ".SH EXIT STATUS\n")).upperBound
        let told = page[status...].matches(of: /(?m)^\.B ([0-9, ]+)$/)
            .flatMap { $0.1.split(separator: ", ").compactMap { Int($0) } }
        #expect(told == [0, 1, 2, 64, 65, 66, 69, 73, 74, 75, 130, 143])
    }

    @Test(
        "completion of every shell offers every command and option",
        arguments: Shell.allCases)
    func completions(shell: Shell) {
        let script = Sample.tool.completions(for: shell)
        for command in Sample.tool.commands {
            for word in command.words { #expect(script.contains(word)) }
            for flag in command.flags { #expect(script.contains(flag.name)) }
        }
        for word in ["matt", "cellar", "bucket", "all"] { #expect(script.contains(word)) }
    }
}
