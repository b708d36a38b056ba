import Render
import Worker

extension FuzzTarget {
    /// The messages of a worker, which a malicious picture may control.
    static let workers: [FuzzTarget] = [
        FuzzTarget("wire") { bytes, digest in
            do {
                let outcome = try Outcome(table: bytes, between: 100, and: 200)
                let again = try Outcome(table: outcome.table, between: 100, and: 200)
                law(again.table == outcome.table, "A table changes when it is read again.")
                digest.add(outcome.table.span)
            } catch {
                digest.add(1)
            }
            do {
                let report = try WorkerReply(bytes)
                let again = try WorkerReply(report.bytes)
                law(again.bytes == report.bytes, "A report changes when it is read again.")
                digest.add(report.bytes.span)
            } catch {
                digest.add(2)
            }
            do {
                digest.add(try WorkerOrder(bytes).bytes.span)
            } catch {
                digest.add(3)
            }
        }
    ]
}
