import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

let shimmer = Shimmer(layout: .xLarge)
try shimmer.webpData(scale: 2).write(to: URL(filePath: "loading.webp"))
