import Engine
import Notation
import Render
import Theming

/// The decision about one logo, as words for the filters of the page and as sentences.
struct ReportLook {
    private let kind: LogoKind
    private let isTrimmed: Bool
    private let reasons: [String]
    let sentences: [String]

    /// Reads the manifest's `look`; nil for an item without a decision.
    init?(_ json: JSON?) {
        guard let decision = json.flatMap({ LogoDecision($0) }) else { return nil }
        kind = decision.kind
        isTrimmed = decision.trim > 0
        let all = decision.grounds.map(\.reason)
        reasons = LogoDecision.Ground.Reason.allCases.filter { all.contains($0) }
            .map(\.rawValue)
        sentences = [Self.place(decision)] + decision.grounds.map(Self.words)
    }

    private static func place(_ decision: LogoDecision) -> String {
        var words = decision.kind.rawValue.capitalizedFirst
        if decision.inset > 0 {
            words += ", \(decision.inset)% of the height from the round outline"
        }
        if !decision.cut.isEmpty {
            words += "; runs off the picture: \(decision.cut.names.joined(separator: ", "))"
        }
        if decision.trim > 0 { words += "; \(decision.trim)% of the area was a margin" }
        return words + "."
    }

    private static func words(_ ground: LogoDecision.Ground) -> String {
        let place = "\(ground.scheme.rawValue.capitalizedFirst): "
        let isOther = ground.colors != ground.scheme
        let background =
            "\(ground.appearance.rawValue) background"
            + (isOther ? " of the \(ground.colors.rawValue) scheme" : "")
        let reason =
            switch ground.reason {
            case .own: "the picture's own ground"
            case .shows: "\(background), on which \(ground.shown)% shows"
            case .showsMore:
                "\(background), as \(ground.shownBefore)% showed before and \(ground.shown)% now"
            case .none:
                "\(background), though only \(ground.shown)% shows; no other background shows "
                    + "enough more"
            }
        return place + reason + (ground.hasHairline ? "; a line marks its edge." : ".")
    }

    func write(into json: inout JSONWriter, _ texts: inout ReportSentences) {
        json.object("look") { json in
            json.member("kind", kind.rawValue)
            if isTrimmed { json.member("trimmed", true) }
            json.array("ground") { json in for reason in reasons { json.write(reason) } }
            json.array("words") { json in
                for sentence in sentences { json.write(texts.index(of: sentence)) }
            }
        }
    }
}

/// Sentences about looks, which many items share. The page contains each sentence once, and the
/// items refer to it by its index.
struct ReportSentences {
    private(set) var all: [String] = []
    private var indices: [String: Int] = [:]

    mutating func index(of sentence: String) -> Int {
        if let index = indices[sentence] { return index }
        indices[sentence] = all.count
        all.append(sentence)
        return all.count - 1
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
