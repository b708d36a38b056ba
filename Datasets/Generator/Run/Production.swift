import Glibc

enum Production {
    struct Tally: Sendable {
        var files = 0
        var bytes = 0
    }

    /// Writes every file of a plan; their contents do not depend on the number of tasks.
    static func run(
        _ files: [DatasetFile], into tree: OutputTree, jobs: Int
    ) async throws -> Tally {
        try await withThrowingTaskGroup(of: Tally.self) { group in
            for job in 0..<jobs {
                group.addTask {
                    var tally = Tally()
                    for index in stride(from: job, to: files.count, by: jobs) {
                        let file = files[index]
                        let bytes = file.make()
                        try tree.write(bytes, hole: file.hole, to: file.path)
                        tally.files += 1
                        tally.bytes += bytes.count
                    }
                    return tally
                }
            }
            var total = Tally()
            for try await tally in group {
                total.files += tally.files
                total.bytes += tally.bytes
            }
            return total
        }
    }

    static var cores: Int {
        max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
