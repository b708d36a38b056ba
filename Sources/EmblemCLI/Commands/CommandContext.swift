import Batch
import Console
import Flags
import Notation
import Transport

/// The context of a command: its checked arguments and its output streams.
struct CommandContext: Sendable {
    let arguments: ParsedArguments
    /// The environment variables that the tool reads.
    let environment: [String: String]
    /// The stream for data; flushed after the command.
    let output: OutputStream
    let messages: MessageStream

    func warn(_ text: String) { messages.line(text, .warning) }

    func note(_ text: String) { messages.line(text, .note) }

    /// Returns the bytes of a file that an option or an argument names. The error names the option
    /// and gives advice.
    func read(
        _ path: String, option: String? = nil, bytesLimit: Int = 20 << 20, advice: String = ""
    ) throws(CommandFailure) -> [UInt8] {
        do throws(ItemFailure) {
            return try FileIntake.read(FilePath(path), bytesLimit: bytesLimit).bytes
        } catch {
            let name = option.map { "\($0) \(path)" } ?? path
            throw CommandFailure(66, "\(SourceMask().shown(name)): \(error)\(advice)")
        }
    }

    /// Returns whether more items failed than `--max-failures` or `--strict` allows, and reports
    /// the option.
    func hasTooManyFailures(_ counts: RunCounts) -> Bool {
        let option: String
        if let tolerance = arguments[Options.maxFailures],
            tolerance.isExceeded(by: counts.withoutPicture, of: counts.done)
        {
            option = "--max-failures \(arguments.texts(Options.maxFailures).last ?? "")"
        } else if arguments[Options.strict], counts.withoutPicture > 0 {
            option = "--strict"
        } else {
            return false
        }
        let share = Double(counts.withoutPicture) * 100 / Double(max(counts.done, 1))
        messages.line(
            "\(Counted(counts.withoutPicture, "item is", many: "items are")) without a new "
                + "picture, \(Figure.fixed(share, 1)) % of \(Counted(counts.done, "item")) "
                + "(\(option))",
            .error)
        return true
    }
}
