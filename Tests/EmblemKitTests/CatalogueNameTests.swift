import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("Names known from component catalogues")
struct CatalogueNameTests {
    @Test("insets on one side move the contents, and mirror for scripts written from right to left")
    func oneSide() throws {
        func drawn(_ title: String, _ insets: EdgeInsets) throws -> (svg: String, html: String) {
            let view = StateView(
                params: StateViewInitParams(
                    configuration: GenericStateViewConfiguration(
                        title: title,
                        firstButtonConfiguration: ButtonConfiguration(
                            title: title, horizontalSpacers: 20)),
                    style: {
                        $0.insets = insets
                        $0.width = 400
                    }))
            return (try view.svg(), try view.html())
        }
        let middle = try drawn("OK", EdgeInsets(40))
        let right = try drawn("OK", EdgeInsets(top: 40, leading: 80, bottom: 40))
        #expect(middle.svg.contains("cx=\"200\"") && right.svg.contains("cx=\"240\""))
        #expect(try drawn("שלום", EdgeInsets(leading: 80)).svg.contains("cx=\"160\""))
        // The button keeps its distance from the edges of the block.
        #expect(middle.svg.contains("<rect x=\"20\"") && right.svg.contains("<rect x=\"20\""))
        #expect(middle.html.contains("padding: 2.5rem; display"))
        #expect(right.html.contains("padding: 2.5rem 0 2.5rem; padding-inline: 5rem 0rem"))
        #expect(right.html.contains("inset-inline-start: -2.5rem"))
        #expect(!middle.html.contains("inset-inline-start"))
    }

    @Test("plain and optional properties of a custom configuration look the same")
    func plainParts() throws {
        struct Plain: StateViewConfiguration {
            let iconName = "wallet"
            let title = "Title"
            let subtitle = "Plainly said"
            let firstButtonConfiguration = ButtonConfiguration(title: "Go on")
        }
        struct Optional: StateViewConfiguration {
            let iconName: String? = "wallet"
            let title = "Title"
            var subtitle: String? { "Plainly said" }
            let firstButtonConfiguration: ButtonConfiguration? = ButtonConfiguration(title: "Go on")
        }
        struct Icon: StateViewConfiguration {
            let iconName = Emblem.Icon.wallet
            let title = "Title"
        }
        let plain = StateView(Plain())
        #expect(try plain.svg().contains(">Plainly said<"))
        #expect(try plain.html() == StateView(Optional()).html())
        #expect(plain.press(.first) && !plain.press(.second))
        #expect(
            try StateView(Icon()).svg()
                == StateView(GenericStateViewConfiguration(iconName: "wallet", title: "Title"))
                .svg())
        let parts: [any StateViewConfiguration] = [Plain(), Optional(), Icon()]
        #expect(parts.map { $0._stateViewParts.subtitle } == ["Plainly said", "Plainly said", nil])
    }
}
