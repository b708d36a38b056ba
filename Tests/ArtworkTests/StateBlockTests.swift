import Artwork
import Raster
import Testing
import Theming

@Suite("The block of a state view")
struct StateBlockTests {
    private func view(
        _ content: StateContent = StateContent(.noConnection), size: TextSize = .large,
        change: (inout StateStyle) -> Void = { _ in }
    ) -> StateView {
        var style = StateStyle(tokens: .builtIn)
        style.textSize = size
        change(&style)
        return StateView(content, style: style, theme: .builtIn)
    }

    private func clipped(_ radius: Double, clips: Bool) -> StateView {
        var content = StateContent(.noConnection)
        content.buttons[0].horizontalSpacers = 0
        return view(content) {
            $0.background = ThemeColor(blue)
            $0.cornerRadius = radius
            $0.clipsToBounds = clips
        }
    }

    @Test("clipping cuts a button of full width at the round corners of the block")
    func clips() throws {
        for clips in [true, false] {
            let view = clipped(24, clips: clips)
            let pixels = try view.sketch().pixels(scale: 1)
            // The button at the foot reaches the corner of the block.
            #expect((pixels.rgba(0, pixels.height - 1)[3] == 0) == clips)
            #expect(pixels.rgba(pixels.width / 2, pixels.height - 2)[3] == 255)
            #expect(try view.sketch().svg().contains("<clipPath") == clips)
            #expect(try view.page().contains("overflow: hidden;") == clips)
        }
    }

    @Test("a button of the block's full width has square corners")
    func edgeToEdge() throws {
        for (spacers, isSquare) in [(0.0, true), (8, false)] {
            var content = StateContent(.noConnection)
            content.buttons[0].horizontalSpacers = spacers
            let svg = try view(content).sketch().svg()
            #expect(svg.contains("rx=\"12\"") == !isSquare)
            #expect(try view(content).page().contains("; border-radius: 0\"") == isSquare)
        }
    }

    @Test("a screen reader gets the texts and buttons of an SVG one by one")
    func announced() throws {
        var content = StateContent(.noConnection)
        content.buttons.append(.init(title: "Help", link: "https://example.com/?a=1&b=2"))
        let svg = try view(content).sketch().svg()
        #expect(svg.contains("role=\"group\"") && !svg.contains("role=\"img\""))
        #expect(svg.contains("<title>No internet connection</title>"))
        for part in [
            "<g aria-hidden=\"true\">", "<g role=\"heading\" aria-level=\"2\">",
            "<g role=\"paragraph\">", "<g role=\"button\">",
            "<a href=\"https://example.com/?a=1&amp;b=2\">",
        ] {
            #expect(svg.components(of: part) == 1, "\(part)")
        }
        content.label = "Offline"
        content.summary = "12 items, try again later"
        let named = try view(content).sketch().svg()
        #expect(named.contains("<title>Offline</title>"))
        #expect(named.contains("<desc>12 items, try again later</desc>"))
        let page = try view(content).page()
        #expect(page.contains("aria-label=\"Offline\" aria-description=\"12 items"))
    }

    @Test(
        "a link that a browser would run as a program is left out of a state view",
        arguments: [
            ("https://shop.example/", true), ("/help", true), ("shop://order", true),
            ("javascript:alert(1)", false), (" Java\nScript:alert(1)", false),
            ("data:text/html,x", false), ("vbscript:x", false),
        ])
    func links(link: String, isKept: Bool) throws {
        var content = StateContent(.noConnection)
        content.buttons = [.init(title: "Help", link: link)]
        let view = view(content)
        #expect(try view.sketch().svg().contains("<a href") == isKept)
        #expect(try view.page().contains("<a ") == isKept)
    }

    @Test("a state view without texts and label is hidden from screen readers")
    func unnamed() throws {
        var content = StateContent(.noConnection)
        (content.title, content.subtitle, content.buttons) = ("", "", [])
        let svg = try view(content).sketch().svg()
        #expect(svg.contains("aria-hidden=\"true\"") && !svg.contains("<title>"))
    }

    @Test("a word that is too long is broken with a hyphen")
    func longWord() throws {
        var content = StateContent(.noConnection)
        content.title = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"
        let style = TextStyle(size: 28, weight: .semibold)
        let block = try TextBlock(content.title, style: style, maxWidth: 312)
        #expect(block.lines.count > 1)
        #expect(block.lines.dropLast().allSatisfy { $0.text.hasSuffix("-") })
        #expect(block.lines.last?.text.hasSuffix("-") == false)
        for line in block.lines {
            let width = try TextBlock(line.text, style: style).width
            #expect(width <= 313 && abs(width - line.width) < 2, "\(line.text)")
        }
        let joined = block.lines.map(\.text).joined().replacing("-", with: "")
        #expect(joined == content.title)
        for text in ["ไม่พบผลลัพธ์ที่คุณต้องการในขณะนี้เลย", "没有结果没有结果没有结果", "one two three"] {
            let lines = try TextBlock(text, style: style, maxWidth: 120).lines
            #expect(lines.count > 1 && lines.allSatisfy { !$0.text.contains("-") }, "\(text)")
        }
    }

    @Test("one empty line between paragraphs is kept, in pictures and pages")
    func emptyLine() throws {
        for text in ["First\n\nSecond", "First\r\n\r\nSecond", "First \n \n\n \n Second"] {
            let block = try TextBlock(text, style: TextStyle(size: 16), maxWidth: 300)
            #expect(block.lines.map(\.text) == ["First", "", "Second"])
            var content = StateContent(title: text, subtitle: "a\nb")
            content.icon = nil
            let page = try view(content).page()
            #expect(page.contains(">First<br><br>Second</h2>") && page.contains("<p>a<br>b</p>"))
        }
        #expect(PlainText("a\nb").text == "a\nb" && PlainText("\n\na\n\n").text == "a")
        #expect(PlainText("a\n\nb", keepsLines: false).text == "a b")
    }

    @Test("the graphic, the gaps and the corners of buttons grow with accessibility sizes")
    func largeText() {
        func fitted(_ size: TextSize) -> StateStyle {
            var style = StateStyle(tokens: .builtIn)
            style.textSize = size
            return style.fitted()
        }
        let (usual, small, large) = (fitted(.large), fitted(.xSmall), fitted(.accessibility5))
        #expect(large.iconOrAnimationSize == StateStyle.Size(216))
        #expect(large.spaceBelowTitle > 2.5 * usual.spaceBelowTitle)
        #expect(large.firstButton.cornerRadius > 1.4 * usual.firstButton.cornerRadius)
        #expect(small.spaceBelowTitle == usual.spaceBelowTitle)
        // Titles grow less than body text, so that a word fits into a line.
        #expect(large.title.size == 50 && large.subtitle.size == 47)
        #expect(small.iconOrAnimationSize == usual.iconOrAnimationSize)
    }
}

extension String {
    /// Returns how often a text occurs.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
