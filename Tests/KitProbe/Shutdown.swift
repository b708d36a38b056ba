import EmblemKit
import Glibc

/// Ends the workers, by a call and as a service, and prints whether child processes exist.
enum Shutdown {
    static func run() async {
        await draw()
        await DesignSystem.shared.shutdown()
        printChildren()
        let service = Task { try await DesignSystem.shared.run() }
        while DesignSystem.shared.decoding.inForce == .undecided { await Task.yield() }
        printChildren()
        service.cancel()
        try? await service.value
        printChildren()
        _ = try? await Image(data: Drill.sound)
        print("\(DesignSystem.shared.decoding.inForce)".prefix { $0 != "," })
    }

    private static func draw() async {
        _ = try? await Image(data: Drill.sound)
        printChildren()
    }

    private static func printChildren() {
        let result = waitpid(-1, nil, WNOHANG)
        print(result < 0 && errno == ECHILD ? "none" : "children")
    }
}
