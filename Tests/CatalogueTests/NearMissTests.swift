import EmblemKit
import Foundation
import Support
import Testing

extension Catalogue {
    /// A property that almost has the right name or type either counts or does not compile. A
    /// default of the protocol must not hide it.
    @Suite("Near misses")
    struct NearMisses {
        private struct Named: StateViewConfiguration {
            let iconName = Emblem.Icon.card
            let title = "Cards"
            let subtitle = "All your cards"
            let buttons = [
                ButtonConfiguration(title: "Order"), ButtonConfiguration(title: "Help"),
            ]
        }

        @Test("a list of buttons gives the buttons of a state in its order")
        func buttons() throws {
            let view = StateView(Named())
            #expect(view.firstButton?.title == "Order" && view.secondButton?.title == "Help")
            #expect(view.thirdButton == nil && view.subtitleLabel?.text == "All your cards")
            #expect(view.imageView == Image(icon: .card))
            let html = try view.html()
            #expect(html.contains("Order") && html.contains("Help"))
        }

        private struct Both: StateViewConfiguration {
            let title = "Cards"
            let secondButtonConfiguration = ButtonConfiguration(title: "Own")
            let buttons: [ButtonConfiguration]
        }

        @Test("a button that is a property replaces the button of the list at its position")
        func both() {
            let view = StateView(
                Both(buttons: ["A", "B", "C"].map { ButtonConfiguration(title: $0) }))
            #expect(view.firstButton?.title == "A" && view.secondButton?.title == "Own")
            #expect(view.thirdButton?.title == "C")
        }

        @Test("a list of four buttons fails when it is drawn")
        func four() {
            let view = StateView(
                Both(buttons: ["A", "B", "C", "D"].map { ButtonConfiguration(title: $0) }))
            let error = #expect(throws: EmblemError.self) { try view.svg() }
            guard case .failedToDraw(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("three buttons") && reason.contains("1 more"))
        }

        @Test("names of assets are icons, unless the program has a file of that name")
        func assets() throws {
            let icons: [(String, String, Emblem.Icon)] = [
                ("icStateViewSuccess", DesignSystem.Assets.icStateViewSuccess, .check),
                (
                    "icStateViewLoadingFailed", DesignSystem.Assets.icStateViewLoadingFailed,
                    .warning
                ),
                (
                    "icStateViewLoadingFailure", DesignSystem.Assets.icStateViewLoadingFailure,
                    .warning
                ),
                ("icStateViewNoConnection", DesignSystem.Assets.icStateViewNoConnection, .wifiOff),
                (
                    "icStateViewNoInternetConnection",
                    DesignSystem.Assets.icStateViewNoInternetConnection, .wifiOff
                ),
                ("icStateViewNoResults", DesignSystem.Assets.icStateViewNoResults, .searchOff),
            ]
            for (name, asset, icon) in icons {
                #expect(Image(name) == Image(icon: icon) && Image(asset) == Image(icon: icon))
                let states = [name, asset, icon.rawValue].map { iconName in
                    StateView(GenericStateViewConfiguration(iconName: iconName, title: "T"))
                }
                #expect(Set(try states.map { try $0.svg() }).count == 1, "\(name)")
            }
            #expect(Image("icAccountBalance") == DesignSystem.Assets.icAccountBalance)
            #expect(UIImage(named: "icStateViewUnknown") == nil)
            let picture = try plainImage()
            #expect(Image(uiImage: picture) == picture)
        }

        @Test("states take a title, a subtitle and one button")
        func texts() throws {
            let again = ButtonConfiguration(title: "Again")
            let states: [any StateViewConfiguration] = [
                LoadingFailureStateViewConfiguration(
                    title: "T", subtitle: "S", buttonConfiguration: again),
                BB.NoConnectionStateViewConfiguration(
                    title: "T", subtitle: "S", buttonConfiguration: again),
                NoResultsStateViewConfiguration(
                    title: "T", subtitle: "S", buttonConfiguration: again),
                GenericStateViewConfiguration(
                    title: "T", subtitle: "S", buttonConfiguration: again),
            ]
            for state in states {
                let view = StateView(state)
                #expect(view.titleLabel.text == "T" && view.subtitleLabel?.text == "S")
                #expect(view.firstButton?.title == "Again" && view.secondButton == nil)
                #expect(view.imageView != nil)
            }
            let plain = NoConnectionStateViewConfiguration(buttonConfiguration: nil)
            #expect(plain.title == "No internet connection" && plain.subtitle != nil)
        }

        @Test("sizes, colours and fonts have their other names")
        func otherNames() throws {
            let radius = DesignSystem.shared.cornerRadius
            #expect([radius.small, radius.medium, radius.large, radius.xLarge] == [4, 8, 12, 16])
            let both = UIColor(light: .white, dark: .black)
            #expect(both.light == UIColor.white.light && both.dark == UIColor.black.dark)
            #expect(try #require(UIColor(hex: "#000")) == .black && UIColor(hex: "black") == nil)
            let colors = Theme.builtIn.colors
            #expect(colors.danger == colors.background.danger)
            #expect(colors.brandSubtle == colors.background.brandSubtle)
            #expect(colors.text.subtle == colors.foreground.subtle)
            let font = UIFont.systemFont(ofSize: 22, weight: .bold)
            #expect(font == UIFont(size: 22, weight: .bold) && font.pointSize == 22)
            var settings = StateView.Settings(theme: .builtIn).firstButton
            settings.normalBackgroundColor = both
            settings.layer.cornerRadius = radius.medium
            settings.titleLabel?.font = font
            settings.titleLabel?.textColor = .white
            #expect(settings.background == both && settings.cornerRadius == 8)
            #expect(settings.text.font == font && settings.text.color == .white)
            settings.titleLabel = nil
            #expect(settings.text.font == font)
        }

        @Test("a style names its view, and a view has settings that can be set")
        func styles() {
            let roomy: Style<StateView> = { stateView in stateView.padding = 40 }
            let params = StateViewInitParams(
                configuration: NoResultsStateViewConfiguration(), style: roomy)
            var view = BB.StateView(params: params)
            #expect(view.settings.insets == EdgeInsets(40))
            view.settings.backgroundColor = .black
            view.settings.padding = 8
            #expect(view.settings.insets == EdgeInsets(8) && view.settings.background == .black)
        }

        @Test("a source loads its image")
        func load() async throws {
            let picture = try plainImage()
            #expect(try await ImageSource.captured(image: picture).load() == picture)
            await #expect(throws: EmblemError.missingURL) {
                try await ImageSource.remote(url: nil).load()
            }
        }

        private struct Animated: StateViewConfiguration {
            let title = "Loading"
            let animationView: EmblemKit.Image
        }

        @Test("an animation that is not optional counts under its other name")
        func animationView() throws {
            let animation = try Image(blockingData: Shimmer().webpData())
            let view = StateView(Animated(animationView: animation))
            #expect(view.imageView == animation)
            #expect(try view.html().contains("data:image/webp"))
        }

        /// Declarations that must not compile, by the name of the type.
        private static let misses = [
            ("AnimationAsText", "let animationView = \"loading.json\""),
            ("AnimationAsBytes", "let animation: [UInt8] = []"),
            ("SubtitleAsNumber", "let subtitle = 3"),
            ("SubtitleAsList", "let subtitle = [\"one\", \"two\"]"),
            ("IconAsImage", "let iconName = Image(systemName: \"star\")"),
            ("FirstButtonAsText", "let firstButtonConfiguration = \"OK\""),
            ("SecondButtonAsList", "let secondButtonConfiguration = [ButtonConfiguration]()"),
            ("ThirdButtonAsAction", "let thirdButtonConfiguration: @Sendable () -> Void = {}"),
            ("ButtonsAsTexts", "let buttons = [\"OK\", \"Cancel\"]"),
        ]

        @Test("a property of a state that has another type is an error of the compiler")
        func wrongTypes() async throws {
            let wrong = Self.misses.map { name, property in
                "struct \(name): StateViewConfiguration { let title = \"T\"; \(property) }"
            }
            let messages = try await Compiler.messages(for: wrong)
            for (name, _) in Self.misses {
                #expect(
                    messages.contains("type '\(name)' does not conform to protocol"),
                    "\(name) compiles")
            }
        }

        @Test("a loader with another method does not compile, and right declarations do")
        func loaders() async throws {
            let wrong = [
                "struct ByRequest: AsyncEmblemImageLoader {",
                "    func loadImage(url: URL) async throws -> Image { Image(systemName: \"star\") }",
                "}",
            ]
            let messages = try await Compiler.messages(for: wrong)
            #expect(messages.contains("has different argument labels from those required"))
            let right = [
                "struct Plain: StateViewConfiguration { let title = \"T\"; let subtitle = \"S\" }",
                "struct Loader: BB.AsyncEmblemImageLoader {",
                "    func loadImage(from url: URL) async throws -> Image { Image(\"logo\") }",
                "}",
            ]
            let none = try await Compiler.messages(for: right)
            #expect(none.isEmpty, "\(none)")
        }
    }
}

/// The compiler, with the modules of this build.
private enum Compiler {
    private static let products = URL(filePath: Tool.path(of: ""))

    /// Returns the errors that the compiler reports for a file of declarations; empty if there are
    /// none.
    static func messages(for lines: [String]) async throws -> String {
        let folder = try ScratchFolder()
        let source = (["import EmblemKit", "import FoundationEssentials"] + lines)
            .joined(separator: "\n")
        let file = try folder.write(Array(source.utf8), to: "snippet.swift")
        let maps = moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        let arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-I",
                products.appending(path: "Modules").path,
                "-module-cache-path", "\(folder.path)/cache",
            ] + maps + [file]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let ending = try await apart {
            try Tool.run("/usr/bin/env", arguments, environment: ["PATH": path])
        }
        return ending.status == 0 ? "" : ending.output + ending.errors
    }

    /// The maps of the C modules on which the library depends.
    private static func moduleMaps() -> [String] {
        let bindings = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CSystem").standardizedFileURL
        let built = maps(in: products) { $0.hasPrefix("C") && $0.hasSuffix(".build") }
        return built + maps(in: bindings) { _ in true }
    }

    private static func maps(in folder: URL, _ isWanted: (String) -> Bool) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter(isWanted).sorted()
            .map { folder.appending(path: "\($0)/module.modulemap").path }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }
}
