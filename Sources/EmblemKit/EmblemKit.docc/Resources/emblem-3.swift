import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

let emblem = AsyncEmblem(
    source: .local(name: "none.png"), placeholder: .icon(.wallet), appearance: .category3,
    layout: .xLarge)
let finished = try await emblem.render(scale: 2)
try finished.image.pngData().write(to: URL(filePath: "placeholder.png"))
if let error = finished.error { print(error) }
