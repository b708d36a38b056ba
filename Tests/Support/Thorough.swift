import Glibc

/// The choice of tests: `make test` runs those that take seconds, and `make test-all`, which sets
/// EMBLEM_TESTS, also those that take long or need a browser.
package enum Thorough {
    package static let isOn: Bool = {
        guard let text = unsafe getenv("EMBLEM_TESTS") else { return false }
        return unsafe String(cString: text) == "all"
    }()

    /// The number of repetitions of a test: a sample, or all of them.
    package static func count(_ sample: Int, of all: Int) -> Int { isOn ? all : sample }
}
