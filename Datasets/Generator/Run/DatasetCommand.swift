import Glibc

@main
struct DatasetCommand {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            let rest = Array(arguments.dropFirst())
            switch arguments.first {
            case "sheet": try SheetCommand.run(rest)
            case "urls": try AddressCommand.run(rest)
            default: try await make(arguments)
            }
        } catch let error as UsageError {
            complain("emblem-dataset: \(error.text)\nTry: emblem-dataset --help")
            exit(64)
        } catch {
            complain("emblem-dataset: \(error)")
            exit(74)
        }
    }

    static func complain(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }

    private static func make(_ arguments: [String]) async throws {
        let request = try DatasetRequest(arguments)
        if request.wantsHelp {
            print(DatasetRequest.help)
            return
        }
        let tree = OutputTree(root: request.output)
        let stamp = request.stamp
        if !request.force, let old = tree.read("dataset.json"), old == Array(stamp.utf8) {
            print("\(request.output) already holds this data set; --force makes it again.")
            return
        }
        let start = ContinuousClock.now
        let tally = try await Production.run(
            request.plan.files(), into: tree, jobs: request.jobs ?? Production.cores)
        // Written last, as the mark of a complete set.
        try tree.write(Array(stamp.utf8), to: "dataset.json")
        let seconds = (ContinuousClock.now - start) / .milliseconds(1) / 1000
        print(
            "\(request.output): \(tally.files) files, \(tally.bytes / 1024) KB in"
                + " \(Markup.number(seconds)) s")
    }
}
