import Artwork
import Engine

extension RunCounts {
    /// The state view that says what came of a run; nil where there are pictures to show.
    package var state: StateKind? {
        if done == 0 { return .noResults }
        guard ok == 0 else { return nil }
        let offline: Set<ErrorClass> = [.dns, .connect, .offline, .hostSkipped, .timeout]
        let met = errors.filter { $0.value > 0 }.keys
        let isOffline = !met.isEmpty && met.allSatisfy { offline.contains($0) }
        return isOffline && errors[.timeout] != errors.values.reduce(0, +)
            ? .noConnection : .loadingFailure
    }

    /// The state in words, with the command that comes next.
    package func stateContent(output: String) -> StateContent? {
        guard let state else { return nil }
        var content = StateContent(state)
        let command: String
        switch state {
        case .noResults:
            content.title = "No pictures to show"
            content.subtitle = "None of the sources is an image"
            command = "emblem help batch"
        case .noConnection:
            content.subtitle = "None of the servers could be reached"
            command = "emblem batch … -o \(output) --resume"
        case .loadingFailure, .generic:
            content.title = "Couldn't load a single picture"
            content.subtitle = "Every source failed; see the manifest for the reasons"
            command = "emblem failures \(output)"
        }
        content.buttons = [.init(title: command)]
        return content
    }
}
