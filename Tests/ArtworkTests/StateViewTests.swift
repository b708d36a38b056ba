import Artwork
import Codecs
import Raster
import Support
import Testing
import Theming

@Suite("State views")
struct StateViewTests {
    private func view(
        _ content: StateContent = StateContent(.noConnection), size: TextSize = .large,
        change: (inout StateStyle) -> Void = { _ in }
    ) -> StateView {
        var style = StateStyle(tokens: .builtIn)
        style.textSize = size
        change(&style)
        return StateView(content, style: style, theme: .builtIn)
    }

    private func texts(_ sketch: Sketch) -> [(block: TextBlock, x: Double, y: Double)] {
        flat(sketch.marks).compactMap { mark in
            if case .text(let block, let x, let y, _) = mark { (block, x, y) } else { nil }
        }
    }

    private func fills(_ sketch: Sketch) -> [Box] {
        flat(sketch.marks).compactMap { if case .fill(let box, _) = $0 { box } else { nil } }
    }

    /// Returns the marks without their nesting.
    private func flat(_ marks: [Sketch.Mark]) -> [Sketch.Mark] {
        marks.flatMap { mark in
            switch mark {
            case .part(_, let marks), .clipped(_, let marks): flat(marks)
            default: [mark]
            }
        }
    }

    @Test("graphic, texts and buttons of a state view are stacked, centred and do not touch")
    func stack() throws {
        var content = StateContent(.loadingFailure)
        content.buttons = ["One", "Two", "A third one"].map { .init(title: $0) }
        let sketch = try view(content).sketch()
        let middle = sketch.width / 2
        for box in fills(sketch) { #expect(box.x + box.width / 2 == middle) }
        for (block, x, _) in texts(sketch) { #expect(abs(x + block.width / 2 - middle) < 0.01) }
        let graphic = fills(sketch)[1]
        #expect(graphic.width == 144 && graphic.height == 144 && graphic.y == 0)
        let buttons = fills(sketch).dropFirst(2)
        #expect(buttons.count == 3)
        let tops = [graphic.y] + texts(sketch).prefix(2).map(\.y) + buttons.map(\.y)
        #expect(tops == tops.sorted())
        #expect(sketch.height == buttons.last.map { $0.y + $0.height })
        #expect(buttons.allSatisfy { $0.x == $0.x.rounded() && $0.height == 48 })
    }

    @Test("full-width buttons leave the configured margin", arguments: [0.0, 16, 40])
    func spacers(room: Double) throws {
        var content = StateContent(.noConnection)
        content.buttons[0].horizontalSpacers = room
        let sketch = try view(content).sketch()
        let button = try #require(fills(sketch).last)
        #expect(button.x == room && button.width == sketch.width - 2 * room)
    }

    @Test("a state view page has a heading, real buttons, a label and both schemes")
    func page() throws {
        var content = StateContent(.noConnection)
        content.title = "<script>alert(\"1\")</script>"
        content.buttons.append(.init(title: "Help", link: "https://example.com/?a=1&b=\"2\""))
        let page = try view(content).page(followsScheme: true)
        #expect(page.hasPrefix("<!doctype html>\n"))
        #expect(!page.contains("<script"))
        #expect(page.contains("<section class=\"state\" aria-labelledby=\"state-title\">"))
        #expect(page.contains("<h2 id=\"state-title\">&lt;script&gt;"))
        #expect(page.contains("<p>It seems that you're not online</p>"))
        #expect(page.contains("<button type=\"button\" class=\"state-button state-button-1\">"))
        #expect(page.contains("<a href=\"https://example.com/?a=1&amp;b=&quot;2&quot;\""))
        #expect(page.contains("@media (prefers-color-scheme: dark)"))
        #expect(page.contains(StateStyle(tokens: .builtIn).title.color.dark.hex))
        #expect(!(try view(content).page()).contains("@media (prefers-color-scheme"))
        #expect(page.contains("aria-hidden=\"true\""))
    }

    @Test("a state view accepts hostile texts and measures")
    func hostile() throws {
        let words = ["", "\u{0}", String(repeating: "x", count: 20_000), "\u{202E}a", "🏴‍☠️\n\n\n"]
        var documents: [[UInt8]] = []
        var drawn = 0
        for word in words {
            let content = StateContent(
                icon: .icon(.check), title: word, subtitle: word,
                buttons: [.init(title: word, horizontalSpacers: 1e9), .init(title: word)])
            for measure in [0.0, -5, 1e9, .nan] {
                let view = view(content) { style in
                    style.titleMaxWidth = measure
                    style.subtitleMaxWidth = measure
                    style.padding = measure.isNaN ? 0 : min(measure, 2000)
                }
                let sketch = try view.sketch()
                documents.append(Array(try sketch.svg().utf8))
                #expect(try view.page().hasSuffix("</html>\n"))
                guard let size = sketch.pixelSize(scale: 1) else { continue }
                #expect(try sketch.pixels(scale: 1).size == size)
                drawn += 1
            }
        }
        #expect(drawn > 10 && documents.count == 20)
        #expect(try XMLVerdict.of(documents).allSatisfy { $0 == .svg })
    }
}
