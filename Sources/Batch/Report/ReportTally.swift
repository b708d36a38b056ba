import Notation
import Render

/// What a report counts over all items, however many of them it shows. Bounded: a list may name as
/// many hosts as it has rows.
struct ReportTally {
    private static let hostsKept = 4096
    private static let lintsKept = 256

    private(set) var items = 0
    private(set) var failures = 0
    private(set) var linted = 0
    private(set) var classes: [String: Int] = [:]
    /// The stale items, and their number among those of each class.
    private(set) var stale = 0
    private(set) var staleClasses: [String: Int] = [:]
    private(set) var lints: [String: Int] = [:]
    /// Errors of each host by class.
    private(set) var hosts: [String: [String: Int]] = [:]
    /// Errors at hosts beyond those that are kept.
    private(set) var otherHosts = 0

    mutating func count(_ record: JSON) {
        items += 1
        let words = (record["lint"]?.elements ?? []).compactMap { PictureLint($0)?.text }
        if !words.isEmpty { linted += 1 }
        // One word may say more behind a colon; an item counts once for each kind.
        for kind in Set(words.map { $0.prefix { $0 != ":" } }) {
            let kind = String(kind)
            guard lints[kind] != nil || lints.count < Self.lintsKept else { continue }
            lints[kind, default: 0] += 1
        }
        guard let errorClass = record[path: ["error", "class"]]?.stringValue else { return }
        failures += 1
        classes[errorClass, default: 0] += 1
        if record["stale"] != nil {
            stale += 1
            staleClasses[errorClass, default: 0] += 1
        }
        guard let host = record["source"]?.stringValue.flatMap(SourceHost.of) else { return }
        if hosts[host] != nil || hosts.count < Self.hostsKept {
            hosts[host, default: [:]][errorClass, default: 0] += 1
        } else {
            otherHosts += 1
        }
    }

    /// Words with their counts, the greatest first.
    static func sorted(_ counts: [String: Int]) -> [(word: String, count: Int)] {
        counts.map { (word: $0, count: $1) }.sorted { ($1.count, $0.word) < ($0.count, $1.word) }
    }
}
