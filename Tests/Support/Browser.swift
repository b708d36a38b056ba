import Foundation

/// Chromium without a screen, driven by `Tests/Browser/drive.py`.
package enum Browser {
    /// One page, opened at a size and in a scheme, and what is done there.
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

        /// Asks for the value of an expression: one of the results.
        package func ask(_ expression: String) -> Visit { adding(["eval": expression]) }

        /// Asks for the value of a file in `Tests/Browser`.
        package func ask(file name: String) -> Visit { adding(["file": Browser.path(of: name)]) }

        package func until(_ expression: String) -> Visit { adding(["until": expression]) }
        package func press(_ key: String) -> Visit { adding(["key": key]) }
        package func type(_ words: String) -> Visit { adding(["text": words]) }

        fileprivate var json: [String: Any] { wish }
    }

    /// What came of a visit.
    package struct Outcome: Decodable, Sendable {
        /// Texts as they are, everything else as JSON.
        package let results: [String]
        /// What the console was told, exceptions, and loads that were refused.
        package let errors: [String]
        /// Every address that was asked for.
        package let requests: [String]
    }

    private static func path(of name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Browser/\(name)").path
    }

    /// Makes the visits, one after the other.
    package static func make(_ visits: [Visit]) throws -> [Outcome] {
        let wishes = try JSONSerialization.data(withJSONObject: visits.map(\.json))
        let run = try Tool.run(
            "/usr/bin/python3", [path(of: "drive.py")], input: Array(wishes))
        guard run.status == 0 else { throw BrowserError(description: run.errors) }
        return try JSONDecoder().decode([Outcome].self, from: Data(run.output.utf8))
    }
}

/// The browser could not be driven as asked.
package struct BrowserError: Error, CustomStringConvertible {
    package let description: String
}
