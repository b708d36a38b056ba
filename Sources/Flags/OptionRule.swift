/// A rule about two options of a command.
package enum OptionRule: Sendable {
    /// The options exclude each other.
    case notBoth(String, String, because: String = "")
    /// The first option has an effect only with the second.
    case needs(String, String)
}

extension ParsedArguments {
    /// Checks the rules about options that the command declares.
    func check(_ rules: [OptionRule]) throws(UsageError) {
        for rule in rules {
            switch rule {
            case .notBoth(let one, let other, let reason):
                guard let flag = declared(one), let second = declared(other),
                    isSet(flag), isSet(second)
                else { continue }
                throw error(
                    flag,
                    "--\(one) cannot be used with --\(other)"
                        + (reason.isEmpty ? "." : ": \(reason)."),
                    remedy: "Remove one of them.")
            case .needs(let one, let other):
                guard let flag = declared(one), let second = declared(other),
                    isTyped(flag), !isSet(second)
                else { continue }
                throw error(
                    flag, "--\(one) needs --\(other).",
                    remedy: "Add '--\(other) \(second.placeholder)', or remove --\(one).")
            }
        }
    }
}
