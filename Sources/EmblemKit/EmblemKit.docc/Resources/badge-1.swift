import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

let badge = Badge(text: "New", appearance: .success)
try badge.render(scale: 2).pngData().write(to: URL(filePath: "badge.png"))
