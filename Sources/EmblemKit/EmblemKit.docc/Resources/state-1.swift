import EmblemKit
import Foundation

EmblemWorker.runIfAsked()

let view = StateView(
    params: StateViewInitParams(
        configuration: LoadingFailureStateViewConfiguration { print("again") }))
try view.render(scale: 2).pngData().write(to: URL(filePath: "failure.png"))
