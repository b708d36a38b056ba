import Digest
import Engine
import Notation
import Render
import Transport

/// The findings of a run as a SARIF 2.1.0 log, which code scanning services read.
package enum SARIFLog {
    /// The most results that GitHub accepts in one log.
    package static let resultsLimit = 25_000

    private static let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

    /// - Parameters:
    ///   - manifest: The location of findings without a file.
    ///   - root: The folder of the repository; files below it get relative addresses.
    package static func text(of findings: Findings, manifest: FilePath, root: FilePath) -> [UInt8] {
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("$schema", schema)
            json.member("version", "2.1.0")
            json.array("runs") { json in
                json.object { json in
                    write(tool: findings, into: &json)
                    json.array("invocations") { json in
                        json.object { json in
                            json.member("executionSuccessful", true)
                            if findings.surplus > 0 { write(findings.surplus, into: &json) }
                        }
                    }
                    json.member("columnKind", "utf16CodeUnits")
                    json.array("results") { json in
                        for finding in findings.kept {
                            write(finding, finding.file ?? manifest, root, into: &json)
                        }
                    }
                }
            }
        }
        json.endLine()
        return json.take()
    }

    private static func write(tool findings: Findings, into json: inout JSONWriter) {
        let used = Set(findings.kept.map(\.rule))
        json.object("tool") { json in
            json.object("driver") { json in
                json.member("name", "emblem")
                json.member("version", ToolVersion.number)
                json.array("rules") { json in
                    for errorClass in ErrorClass.allCases where used.contains(errorClass.rawValue) {
                        write(rule: errorClass.rawValue, errorClass.message, into: &json)
                    }
                    for kind in PictureLint.Kind.allCases where used.contains(kind.rawValue) {
                        write(rule: kind.rawValue, "Lint warning \(kind.rawValue).", into: &json)
                    }
                }
            }
        }
    }

    private static func write(rule: String, _ text: String, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", rule)
            json.object("shortDescription") { $0.member("text", text) }
        }
    }

    private static func write(_ surplus: Int, into json: inout JSONWriter) {
        json.array("toolExecutionNotifications") { json in
            json.object { json in
                json.member("level", "warning")
                json.object("message") {
                    $0.member("text", "\(surplus) more findings are not in this log.")
                }
            }
        }
    }

    private static func write(
        _ finding: Finding, _ file: FilePath, _ root: FilePath, into json: inout JSONWriter
    ) {
        json.object { json in
            json.member("ruleId", finding.rule)
            json.member("level", finding.level.rawValue)
            json.object("message") { $0.member("text", finding.sentence) }
            json.array("locations") { json in
                json.object { json in
                    json.object("physicalLocation") { json in
                        write(place: file, finding.line, root, into: &json)
                    }
                }
            }
            json.object("partialFingerprints") { json in
                let identity = "\(finding.rule)\n\(finding.id)\n\(finding.source)"
                json.member("emblemItem/v1", SHA256.hash(Array(identity.utf8).span).prefixHex(32))
            }
        }
    }

    private static func write(
        place file: FilePath, _ line: Int?, _ root: FilePath, into json: inout JSONWriter
    ) {
        json.object("artifactLocation") { json in
            if let inside = file.below(root) {
                json.member("uri", address(of: inside))
                json.member("uriBaseId", "%SRCROOT%")
            } else {
                json.member("uri", "file://" + address(of: file.absolute))
            }
        }
        if let line {
            json.object("region") { $0.member("startLine", line) }
        }
    }

    private static func address(of path: FilePath) -> String {
        path.bytes.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + Hexadecimal.text(UInt32(byte), width: 2).uppercased()
            }
        }
    }
}
