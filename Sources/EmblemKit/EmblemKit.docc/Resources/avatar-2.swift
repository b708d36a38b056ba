import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

var ada = Avatar(layout: .large, appearance: .image(.local(name: "logo.png")))
ada.fallbacks = [.name("Ada Lovelace")]
let finished = try await ada.render(scale: 2)
try finished.image.pngData().write(to: URL(filePath: "avatar.png"))
