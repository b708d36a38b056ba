import Batch
import Digest
import Engine
import Notation
import Transport

/// What a run says of itself, read from the records that it left.
package struct RunFigures: Hashable, Sendable {
    /// The latency of one stage, in milliseconds, under the names of the record.
    package struct Stage: Hashable, Sendable {
        package var name: String
        package var count: Int
        package var milliseconds: [String: Double]

        package init(name: String, count: Int, milliseconds: [String: Double]) {
            self.name = name
            self.count = count
            self.milliseconds = milliseconds
        }
    }

    package var items: Int
    /// Items without their own picture.
    package var withoutPicture: Int
    package var outputs: Int
    package var bytesIn: Int
    package var bytesOut: Int
    package var stages: [Stage]
    /// One number for the names and bytes of all outputs.
    package var digest: String
    /// What the record says of tool, libraries, kernels and machine, as it stands there.
    package var surroundings: [JSON.Member]

    /// What was read, or what a test says was.
    package init(
        items: Int, withoutPicture: Int, outputs: Int, bytesIn: Int, bytesOut: Int,
        stages: [Stage], digest: String, surroundings: [JSON.Member]
    ) {
        self.items = items
        self.withoutPicture = withoutPicture
        self.outputs = outputs
        self.bytesIn = bytesIn
        self.bytesOut = bytesOut
        self.stages = stages
        self.digest = digest
        self.surroundings = surroundings
    }

    /// The columns of a latency table, in the order in which records have them.
    package static let columns = ["mean_ms", "p50_ms", "p90_ms", "p99_ms", "p999_ms", "max_ms"]

    private static let bytesLimit = 64 << 20

    /// Reads `run.json` and the manifest of a finished run.
    package init(folder: String) throws(BenchError) {
        let record = try Self.record(folder)
        items = record["items"]?.intValue ?? 0
        withoutPicture = items - (record["ok"]?.intValue ?? items)
        outputs = record["outputs"]?.intValue ?? 0
        bytesIn = record["bytes_in"]?.intValue ?? 0
        stages = (record["stages"]?.members ?? []).map { member in
            Stage(
                name: member.name, count: member.value["count"]?.intValue ?? 0,
                milliseconds: Self.columns.reduce(into: [:]) { table, column in
                    table[column] = member.value[column]?.doubleValue
                })
        }
        surroundings = ["tool", "versions", "kernels", "machine", "sandbox"].compactMap {
            name in record[name].map { JSON.Member(name, $0) }
        }
        (digest, bytesOut) = try Self.outputs(folder)
    }

    /// The classes of the failures of a run with their numbers, for a message; empty where the run
    /// left no record.
    static func errors(folder: String) -> String {
        do throws(BenchError) {
            let errors = try record(folder)["errors"]?.members ?? []
            return errors.map { "\($0.name) \($0.value.text)" }.joined(separator: ", ")
        } catch {
            return ""
        }
    }

    private static func record(_ folder: String) throws(BenchError) -> JSON {
        let path = FilePath("\(folder)/run.json")
        let bytes: [UInt8]
        do throws(IntakeError) {
            bytes = try FileIntake.read(path, bytesLimit: bytesLimit).bytes
        } catch {
            throw .noRecord("run.json: \(error)")
        }
        do throws(JSONError) {
            return try JSONParser.parse(bytes.span)
        } catch {
            throw .noRecord("run.json: \(error)")
        }
    }

    /// The digest of all outputs, in the order of the manifest, and the sum of their sizes: those
    /// that an earlier run wrote count too.
    private static func outputs(_ folder: String) throws(BenchError) -> (String, Int) {
        var hash = SHA256()
        var bytes = 0
        do throws(ManifestError) {
            var reader = try ManifestReader(folder: FilePath(folder))
            while let record = try reader.next() {
                for output in record["outputs"]?.elements ?? [] {
                    guard let path = output["path"]?.stringValue,
                        let digest = output["sha256"]?.stringValue
                    else { continue }
                    hash.update(Array("\(digest)  \(path)\n".utf8).span)
                    bytes += output["bytes"]?.intValue ?? 0
                }
            }
        } catch {
            throw .noRecord("\(error)")
        }
        return (hash.finish().hex, bytes)
    }
}
