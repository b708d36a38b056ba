import CLibFuzzer
import FuzzTargets
import Glibc

/// `emblem-fuzz TARGET [options of libFuzzer] [corpus folders]`
@main
enum FuzzCommand {
    /// The target for the engine's callback, which has no context argument.
    private static let target = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.named)

    static func main() {
        guard target != nil else {
            print(FuzzTarget.all.map { $0.name }.joined(separator: "\n"))
            exit(CommandLine.arguments.count > 1 ? 64 : 0)
        }
        // The target's name is not an argument of the engine.
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
            unsafe CommandLine.unsafeArgv + 1
        let status = unsafe LLVMFuzzerRunDriver(&count, &arguments) { start, length in
            let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: length))
            FuzzCommand.feed(bytes)
            return 0
        }
        exit(status)
    }

    /// Feeds the bytes twice; a different result is a finding.
    private static func feed(_ bytes: [UInt8]) {
        guard let target else { return }
        let first = target.digest(of: bytes)
        law(
            target.digest(of: bytes) == first, "Two runs over the same bytes end differently.")
    }
}
