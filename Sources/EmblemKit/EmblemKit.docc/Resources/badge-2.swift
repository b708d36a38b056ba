import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

var emblem = AsyncEmblem(source: .local(name: "logo.png"), layout: .xLarge)
emblem.badge = Badge(text: "3", appearance: .danger)
let finished = try await emblem.render(scale: 2)
try finished.image.pngData().write(to: URL(filePath: "worn.png"))
