import EmblemKit
import FoundationEssentials
import Testing

@Suite("A shimmer")
struct KitShimmerTests {
    @Test("a shimmer is an animation as WebP and as PNG")
    func animations() async throws {
        let shimmer = Shimmer()
        let webp = try shimmer.webpData(scale: 2)
        let png = try await shimmer.data(as: .png)
        #expect(webp.contains(bytes: "ANMF") && png.contains(bytes: "acTL"))
        #expect(try Image(blockingData: webp).width == 96 && Image(blockingData: png).width == 48)
        #expect(try shimmer.webpData(scale: 2) == webp)
    }

    @Test("a shimmer is encoded asynchronously as it is synchronously, in the theme of the task")
    func asynchronously() async throws {
        let shimmer = Shimmer(avatar: .small)
        let theme = try Theme(
            name: "own", json: ##"{"theme": {"color": {"background": {"brand": "#8A3B12"}}}}"##.utf8
        )
        let plain = try await shimmer.data(as: .webp, scale: 2, scheme: .dark)
        #expect(try plain == shimmer.webpData(scale: 2, scheme: .dark))
        let own = try await Theme.withCurrent(theme) {
            try await shimmer.data(as: .webp, scale: 2, scheme: .dark)
        }
        #expect(
            try Theme.withCurrent(theme) { try shimmer.webpData(scale: 2, scheme: .dark) } == own)
        let frame = try await shimmer.frame(3).data(as: .webp)
        #expect(try await Image(data: frame).width == 24)
    }

    @Test("a shimmer as JPEG, at no scale, or of a cancelled task is an error")
    func refused() async throws {
        let shimmer = Shimmer()
        let format = await #expect(throws: EmblemError.self) { try await shimmer.data(as: .jpeg) }
        #expect(format?.errorClass == "failed_to_encode")
        let scale = await #expect(throws: EmblemError.self) {
            try await shimmer.data(as: .png, scale: 9)
        }
        #expect(scale == .scaleOutOfRange(9))
        let gate = Gate()
        let task = Task {
            try? await gate.pass()
            return try await shimmer.data(as: .png)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

extension Data {
    /// Whether the letters of a chunk's name are anywhere in it.
    fileprivate func contains(bytes name: String) -> Bool {
        let wanted = Array(name.utf8)
        let all = Array(self)
        return all.indices.contains { all[$0...].starts(with: wanted) }
    }
}
