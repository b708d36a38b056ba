import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

let ada = Avatar(layout: .large, appearance: .name("Ada Lovelace"))
let finished = try await ada.render(scale: 2)
try finished.image.pngData().write(to: URL(filePath: "initials.png"))
