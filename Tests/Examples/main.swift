import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

/// The arguments: the name of an example, a folder for its files, and the URLs that it loads.
let arguments = CommandLine.arguments.dropFirst()
let words = Array(arguments)
guard words.count >= 2 else {
    print("usage: EmblemExamples NAME FOLDER [URL…]")
    exit(64)
}
let folder = URL(filePath: words[1])
let logos = words.dropFirst(2).map { URL(string: $0) }
let logo = logos.first ?? nil

// The examples load from this machine.
var settings = NetworkImageLoader.Settings()
settings.allowPrivate = true
settings.certificates = ProcessInfo.processInfo.environment["AUTHORITY"]
DesignSystem.shared.emblemImageLoader = NetworkImageLoader(settings)

switch words[0] {
case "render":
    try await Examples.render(logo, to: folder.appending(path: "logo.png"))
    let bytes = try Data(contentsOf: folder.appending(path: "logo.png"))
    let image = try Image(blockingData: bytes)
    print("\(image.width) x \(image.height)")
    print(try await Examples.local(folder.appending(path: "logo.png").path).isPlaceholder)
    print(try await Examples.local(folder.appending(path: "none.png").path).isPlaceholder)
case "phases":
    for logo in logos { await Examples.phases(logo) }
    await Examples.phases(nil)
    await CatalogueExamples.texts(logo)
case "batch":
    await Examples.batch(logos)
case "isolation":
    await Examples.isolation()
case "cache":
    Examples.cache(in: folder.appending(path: "cache").path)
    await Examples.phases(logo)
    print(DesignSystem.shared.emblemImageLoader is CachingImageLoader)
case "keeping":
    DesignSystem.shared.emblemImageLoader = KeepingLoader(NetworkImageLoader(settings))
    for _ in 0..<3 { await Examples.phases(logo) }
case "token":
    DesignSystem.shared.emblemImageLoader = try TokenLoader(
        host: "localhost", token: "secret", base: NetworkImageLoader(settings))
    for logo in logos { await Examples.phases(logo) }
case "scaling":
    DesignSystem.shared.emblemImageLoader = ScalingLoader(base: NetworkImageLoader(settings))
    print(try await AsyncEmblem(url: logo, layout: .large).render(scale: 2).isPlaceholder)
case "theme":
    try Examples.theme(Array(##"{"theme":{"color":{"background":{"brand":"#8A3B12"}}}}"##.utf8))
    try Data("{}".utf8).write(to: folder.appending(path: "night.json"))
    Examples.themes(in: folder)
case "components":
    try Components.badge(folder.appending(path: "badge.png"))
    try await Components.emblem(logo, to: folder.appending(path: "emblem"))
    try await Components.avatar(folder.appending(path: "avatar.png"))
    print(try await Components.portrait(logo).appearance == .image(.remote(url: logo)))
    print(try await Components.portrait(nil).appearance)
    try await Components.shimmer(logo, to: folder.appending(path: "shimmer.webp"))
    for name in ["badge.png", "emblem.webp", "emblem.svg", "avatar.png", "shimmer.webp"] {
        let image = try Image(blockingData: Data(contentsOf: folder.appending(path: name)))
        print(name, image.width, image.height)
    }
    try await Components.loading(logo)
    try await Components.loading(nil)
    await Components.schemes([logo, nil])
    Components.system()
case "states":
    try StateViews.failure(to: folder.appending(path: "failure.png"))
    let failure = try Data(contentsOf: folder.appending(path: "failure.png"))
    print(try Image(blockingData: failure).width)
    print(StateViews.card().settings.cornerRadius)
    print(StateViews.styles().settings.padding, StateViews.styles().settings.iconOrAnimationSize)
    print(try StateViews.texts().contains(">Nichts gefunden<"))
    try StateViews.page(to: folder.appending(path: "done.html"))
    let page = try String(contentsOf: folder.appending(path: "done.html"), encoding: .utf8)
    print(page.contains(">Payment complete<"), page.contains("href=\"https://shop.example/\""))
    print(StateViews.blocked())
case "tenants":
    let autumn = Tenant(name: "autumn", theme: try Tenants.theme())
    let drawn = try await Tenants.request(logo, of: autumn)
    print(drawn.image.width, drawn.isPlaceholder)
    await Tenants.list(
        [
            Merchant(id: "acme", name: "Acme", logo: logo, news: 3),
            Merchant(id: "gone", name: "Gone", logo: nil, news: 0),
        ], of: autumn)
    await Tenants.users([Person(name: "Ada Lovelace", portrait: nil)])
    print(
        StateView(
            params: .init(
                configuration: NoResultsStateViewConfiguration(), style: Tenants.roomyAbove()
            )
        ).settings.insets.top)
case "serving":
    if let logo { try await Serving.drill(logo) }
case "quick-start":
    // The program writes its picture into the working folder.
    _ = FileManager.default.changeCurrentDirectoryPath(folder.path)
    DesignSystem.shared.emblemImageLoader = NetworkImageLoader()
    try await QuickStart.run()
case "cancelling":
    try await Cancelling.drill(logos.compactMap { $0 }, settings)
default:
    print("no such example: \(words[0])")
    exit(64)
}
