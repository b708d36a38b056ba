import Notation
import Render
import Transport

/// The counts of a report over all items. Its memory is bounded, because a list may name as many
/// hosts as it has rows.
struct ReportTally {
    private static let hostsKept = 4096
    private static let lintsKept = 256

    private(set) var items = 0
    private(set) var failures = 0
    private(set) var linted = 0
    private(set) var classes: [String: Int] = [:]
    /// The number of stale items, in total and by error class.
    private(set) var stale = 0
    private(set) var staleClasses: [String: Int] = [:]
    private(set) var lints: [String: Int] = [:]
    private(set) var hosts: [String: [String: Int]] = [:]
    /// The number of errors at hosts that are not in `hosts`.
    private(set) var otherHosts = 0

    mutating func count(_ record: JSON) {
        items += 1
        let words = (record["lint"]?.elements ?? []).compactMap { PictureLint($0)?.text }
        if !words.isEmpty { linted += 1 }
        // The text after a colon is ignored; an item counts once for each kind.
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
        guard let host = record["source"]?.stringValue.flatMap(URLGrammar.host(of:)) else { return }
        if hosts[host] != nil || hosts.count < Self.hostsKept {
            hosts[host, default: [:]][errorClass, default: 0] += 1
        } else {
            otherHosts += 1
        }
    }

    /// Returns the words with their counts, the greatest first.
    static func sorted(_ counts: [String: Int]) -> [(word: String, count: Int)] {
        counts.map { (word: $0, count: $1) }.sorted { ($1.count, $0.word) < ($0.count, $1.word) }
    }
}
