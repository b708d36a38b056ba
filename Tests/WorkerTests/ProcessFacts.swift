import Foundation
import Glibc

enum ProcessFacts {
    static func status(_ process: pid_t) throws -> [String: String] {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        var lines: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            lines[String(parts[0])] = parts.last?.trimmingCharacters(in: .whitespaces)
        }
        return lines
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    static func targets(of process: pid_t) throws -> [String] {
        let path = "/proc/\(process)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: path).map {
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/\($0)")
        }
    }

    static func children(of process: pid_t) -> [pid_t] {
        let list = (try? bytes("/proc/\(process)/task/\(process)/children")) ?? []
        return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap {
            pid_t($0)
        }
    }
}
