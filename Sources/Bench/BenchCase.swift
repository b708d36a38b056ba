/// One command to measure.
package struct BenchCase: Hashable, Sendable {
    /// A name with its value, as records keep them.
    package struct Parameter: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What tells this case from others, here and in a record to compare with.
    package let parameters: [Parameter]
    /// The words after `emblem batch`, without the output folder.
    package let words: [String]
    /// The whole command as a person would type it, without what is secret.
    package let shown: String
    /// Measured is a second run, over what a first one left.
    package let standsAlready: Bool

    package init(
        parameters: [Parameter], words: [String], shown: String, standsAlready: Bool = false
    ) {
        self.parameters = parameters
        self.words = words
        self.shown = shown
        self.standsAlready = standsAlready
    }

    /// The parameters that tell the cases of one measurement apart, in words.
    package var title: String {
        parameters.filter { $0.name != "preset" }.map { parameter in
            guard parameter.name == "jobs" else { return parameter.value }
            return parameter.value == "1" ? "1 job" : "\(parameter.value) jobs"
        }.joined(separator: ", ")
    }

    /// The value of a parameter.
    package subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }
}
