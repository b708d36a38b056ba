import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

let emblem = AsyncEmblem(source: .local(name: "logo.png"), layout: .xLarge)
