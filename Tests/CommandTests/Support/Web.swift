import Raster
import Support

enum Web {
    /// nginx with twelve discs, `disc-0.png` to `disc-11.png`.
    static let server: NginxServer = {
        let server = TestServers.nginx
        for index in 0..<12 {
            let shade = UInt8(20 * index)
            let color = Color(red: shade, green: 95, blue: 255 - shade)
            let disc = try? Pictures.disc(color, width: 60 + 8 * index, height: 80)
            server.publish(disc ?? [], as: "disc-\(index).png")
        }
        return server
    }()

    /// Runs a list whose rows are an id and a URL each.
    static func batch(
        _ rows: [(String, String)], _ more: [String], in folder: ScratchFolder
    ) throws -> Tool.Ending {
        let lines = rows.map { "\($0.0),\($0.1)\n" }.joined()
        try folder.write("id,url\n\(lines)", to: "list.csv")
        return try Tool.emblem(
            ["batch", "--list", "list.csv", "-o", "out", "--layout", "small"] + more,
            in: folder.path)
    }

    /// The options for servers on this machine: private addresses, and no cache unless named.
    static let open = ["--allow-private", "--cache", "none"]
}
