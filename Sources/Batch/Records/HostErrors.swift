import Engine
import Notation
import Transport

/// The hosts with the most errors. Its memory is bounded for any number of hosts.
struct HostErrors: Sendable {
    private static let hostsLimit = 4096
    private static let listedLimit = 50
    private var hosts: [String: [ErrorClass: Int]] = [:]
    /// The number of errors at hosts that are not in `hosts`.
    private var others = 0

    mutating func record(_ record: ItemRecord) {
        guard let failure = record.failure, let host = URLGrammar.host(of: record.source) else {
            return
        }
        if hosts[host] != nil || hosts.count < Self.hostsLimit {
            hosts[host, default: [:]][failure.errorClass, default: 0] += 1
        } else {
            others += 1
        }
    }

    /// Writes an array of hosts, those with the most errors first.
    func write(to json: inout JSONWriter) {
        let sorted = hosts.map { (host: $0, errors: $1, sum: $1.values.reduce(0, +)) }
            .sorted { ($1.sum, $0.host) < ($0.sum, $1.host) }
        json.beginArray()
        for entry in sorted.prefix(Self.listedLimit) {
            json.object { json in
                json.member("host", entry.host)
                json.object("errors") { json in
                    for errorClass in ErrorClass.allCases {
                        guard let count = entry.errors[errorClass] else { continue }
                        json.member(errorClass.rawValue, count)
                    }
                }
            }
        }
        json.endArray()
    }

    /// The number of errors whose host is not in the array that `write` writes.
    var unlisted: Int {
        let sums = hosts.values.map { $0.values.reduce(0, +) }.sorted(by: >)
        return others + sums.dropFirst(Self.listedLimit).reduce(0, +)
    }
}
