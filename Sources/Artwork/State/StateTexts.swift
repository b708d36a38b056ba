/// The words of the ready-made states, ours or those of a strings file.
package struct StateTexts: Hashable, Sendable {
    /// A part of a state that has words.
    package enum Part: String, CaseIterable, Hashable, Sendable {
        case title = "Title"
        case subtitle = "Subtitle"
        case button = "Button"
    }

    private var overrides: [String: String]

    /// Words by key, as in `stateView.noResultsTitle`; other keys are of no concern.
    package init(_ overrides: [String: String] = [:]) {
        self.overrides = overrides
    }

    /// The words of a part; nil where the state has no such part.
    package subscript(kind: StateKind, part: Part) -> String? {
        guard let key = Self.key(kind, part) else { return nil }
        return self[key: key]
    }

    /// The words of a key; nil where no state has it.
    package subscript(key key: String) -> String? { overrides[key] ?? Self.english[key] }

    /// The key of a part in a strings file; the generic state has no words of its own.
    package static func key(_ kind: StateKind, _ part: Part) -> String? {
        switch kind {
        case .loadingFailure: "stateView.loadingFailure" + part.rawValue
        case .noConnection: "stateView.noConnection" + part.rawValue
        case .noResults: "stateView.noResults" + part.rawValue
        case .generic: nil
        }
    }

    private static let english = [
        "stateView.loadingFailureTitle": "Couldn't load page",
        "stateView.loadingFailureSubtitle": "Something went wrong",
        "stateView.loadingFailureButton": "Try again",
        "stateView.noConnectionTitle": "No internet connection",
        "stateView.noConnectionSubtitle": "It seems that you're not online",
        "stateView.noConnectionButton": "Try again",
        "stateView.noResultsTitle": "No results to show",
        "stateView.noResultsSubtitle": "We couldn't find anything to show here",
    ]
}
