import EmblemKit
import Foundation

/// The examples of the documentation for users of a component catalogue.
enum CatalogueExamples {
    static func texts(_ logo: URL?) async {
        let sizes = AsyncImage(url: logo) { image in
            "\(image.width) pixels wide"
        } placeholder: {
            "no image"
        }
        for await text in sizes { print(text) }
    }

    static func loader(_ logo: URL?) async {
        let loader = ImageLoader(source: .remote(url: logo))
        await loader.load().value
        print(loader.phase.image?.width ?? 0)
    }

    static func card(_ done: @escaping @Sendable () -> Void) throws -> EmblemKit.Image {
        let success = GenericStateViewConfiguration(
            iconName: DesignSystem.Assets.icStateViewSuccess, title: "Payment sent",
            firstButtonConfiguration: ButtonConfiguration(
                title: "Done", horizontalSpacers: .zero, action: done))
        let view = BB.StateView(
            params: StateViewInitParams(
                configuration: success,
                style: DesignSystem.shared.styles.stateView <> { stateView in
                    stateView.backgroundColor = UIColor(red: 0.9, green: 1, blue: 0.9)
                    stateView.padding = .init(top: 24, left: 16, bottom: 24, right: 16)
                    stateView.titleLabelStyle = { label in
                        label.font = DesignSystem.shared.fonts.preferredFont(.title2, .bold)
                    }
                }, bundles: .main))
        return try view.render(scale: 2)
    }

    static func merchant(_ logo: URL?) async throws -> RenderedEmblem {
        let emblem = BB.AsyncEmblem(
            url: logo, placeholder: Image(systemName: "photo"), appearance: .info, layout: .large
        )
        .accessibilityLabel("Acme Bank")
        return try await emblem.render(scale: 2)
    }
}
