import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

let done = GenericStateViewConfiguration(
    iconName: "check", title: "Payment complete",
    firstButtonConfiguration: ButtonConfiguration(title: "Done"))
let view = StateView(
    params: StateViewInitParams(configuration: done, style: { $0.appearance = .success }))
try view.render(scale: 2).pngData().write(to: URL(filePath: "done.png"))
try view.html().write(to: URL(filePath: "done.html"), atomically: true, encoding: .utf8)
