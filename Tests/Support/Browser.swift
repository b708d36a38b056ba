import Foundation

package enum Browser {
    /// A page to open with a size and a colour scheme, and the actions on it.
    package struct Visit {
        private var wish: [String: Any]

        package init(
            _ path: String, query: String = "", width: Int = 1280, scheme: String = "light",
            script: Bool = true
        ) {
            let url = URL(filePath: path).absoluteString + query
            wish = [
                "url": url, "width": width, "height": 800, "scheme": scheme, "script": script,
                "steps": [[String: String]](),
            ]
        }

        private func adding(_ step: [String: String]) -> Visit {
            var visit = self
            let steps = wish["steps"] as? [[String: String]] ?? []
            visit.wish["steps"] = steps + [step]
            return visit
        }

        /// Adds the evaluation of an expression to the results.
        package func ask(_ expression: String) -> Visit { adding(["eval": expression]) }

        /// Adds the evaluation of a file in `Tests/Browser` to the results.
        package func ask(file name: String) -> Visit { adding(["file": Browser.path(of: name)]) }

        package func until(_ expression: String) -> Visit { adding(["until": expression]) }
        package func press(_ key: String) -> Visit { adding(["key": key]) }
        package func type(_ words: String) -> Visit { adding(["text": words]) }

        fileprivate var json: [String: Any] { wish }
    }

    package struct Outcome: Decodable, Sendable {
        /// Strings unchanged, other values as JSON.
        package let results: [String]
        /// Console errors, exceptions and blocked loads.
        package let errors: [String]
        package let requests: [String]
    }

    private static func path(of name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Browser/\(name)").path
    }

    package static func make(_ visits: [Visit]) throws -> [Outcome] {
        let wishes = try JSONSerialization.data(withJSONObject: visits.map(\.json))
        let run = try Tool.run(
            "/usr/bin/python3", [path(of: "drive.py")], input: Array(wishes))
        guard run.status == 0 else { throw BrowserError(description: run.errors) }
        return try JSONDecoder().decode([Outcome].self, from: Data(run.output.utf8))
    }
}

package struct BrowserError: Error, CustomStringConvertible {
    package let description: String
}
