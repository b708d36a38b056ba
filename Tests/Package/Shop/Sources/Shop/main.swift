import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

/// Draws every image of a folder at one size, and prints the result of each.
let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: Shop IMAGES OUT")
    exit(64)
}
let names = try FileManager.default.contentsOfDirectory(atPath: arguments[1]).sorted()
try FileManager.default.createDirectory(
    atPath: arguments[2], withIntermediateDirectories: true)
for name in names {
    let emblem = AsyncEmblem(
        source: .local(name: "\(arguments[1])/\(name)"), layout: .large)
    let finished = try await emblem.render(scale: 2)
    try finished.image.pngData().write(to: URL(filePath: "\(arguments[2])/\(name)"))
    print(name, finished.image.width, finished.isPlaceholder ? "placeholder" : "ok")
}
print(DesignSystem.shared.decoding.inForce)
