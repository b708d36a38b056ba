import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

let emblem = AsyncEmblem(source: .local(name: "logo.png"), layout: .xLarge)
let finished = try await emblem.render(scale: 2)
try finished.image.pngData().write(to: URL(filePath: "emblem.png"))
