import EmblemKit
import Foundation

/// The parts of a request that the handler needs.
struct Request: Sendable {
    let parameter: String
    /// The headers by lower-case name.
    var headers: [String: String] = [:]
}

/// The parts of a response that the handler sets.
struct Response: Sendable {
    let status: Int
    var headers: [String: String] = [:]
    var body = Data()
}

/// A connection that reports when it is closed.
protocol Connection {
    func whenClosed(_ action: @escaping @Sendable () -> Void)
}

/// Draws the logo of a merchant, or confirms the copy that the client has.
struct EmblemHandler: Sendable {
    let logos: [String: URL]
    let theme: Theme

    func respond(to request: Request) async throws -> Response {
        guard let logo = logos[request.parameter] else { return Response(status: 404) }
        let accept = request.headers["accept"]
        guard let format = FileFormat(accepting: accept, from: [.webp, .png]) else {
            return Response(status: 406)
        }
        let emblem = AsyncEmblem(url: logo, layout: .large, theme: theme)
        let drawn: RenderedEmblem
        let body: Data
        do {
            drawn = try await emblem.render(scale: 2)
            // The image is not at fault, so a retry is better than a placeholder.
            if let error = drawn.error as? EmblemError, error.isOfServer { throw error }
            body = try await drawn.image.data(as: format)
        } catch let error as EmblemError where error.isOfServer {
            return Response(status: 503, headers: ["retry-after": "1"])
        }
        let tag = EntityTag(of: body)
        let headers = [
            "content-type": format.mediaType, "etag": tag.description, "vary": "accept",
            // A placeholder may be replaced in a minute.
            "cache-control": drawn.isPlaceholder ? "max-age=60" : "max-age=86400",
        ]
        if tag.matches(request.headers["if-none-match"]) {
            return Response(status: 304, headers: headers)
        }
        return Response(status: 200, headers: headers, body: body)
    }
}

extension EmblemError {
    /// Whether this server is busy or has no workers.
    fileprivate var isOfServer: Bool {
        switch self {
        case .busy, .unavailable: true
        default: false
        }
    }
}

/// The workers of the library as a service.
struct EmblemService: Service {
    func run() async throws {
        try await cancelWhenGracefulShutdown { try await DesignSystem.shared.run() }
    }
}

/// A server without sockets.
struct Serving {
    func respond(
        to request: Request, on connection: some Connection, with handler: EmblemHandler
    ) async throws -> Response {
        let drawing = Task { try await handler.respond(to: request) }
        connection.whenClosed { drawing.cancel() }
        return try await withTaskCancellationHandler {
            try await drawing.value
        } onCancel: {
            drawing.cancel()
        }
    }

    /// A connection that closes at once.
    private struct Gone: Connection {
        func whenClosed(_ action: @escaping @Sendable () -> Void) { action() }
    }

    /// A connection that stays open.
    private struct Open: Connection {
        func whenClosed(_ action: @escaping @Sendable () -> Void) {}
    }

    static func drill(_ logo: URL) async throws {
        let handler = EmblemHandler(logos: ["acme": logo], theme: .builtIn)
        func answer(_ request: Request, _ connection: some Connection) async throws -> Response {
            try await Serving().respond(to: request, on: connection, with: handler)
        }
        let first = try await answer(Request(parameter: "acme"), Open())
        let tag = first.headers["etag"] ?? ""
        let drawn = try await Image(data: first.body)
        print(first.status, first.headers["content-type"] ?? "", drawn.width)
        let again = Request(parameter: "acme", headers: ["if-none-match": "\"zz\", W/\(tag)"])
        let second = try await answer(again, Open())
        print(second.status, second.headers["etag"] == tag, second.body.count)
        let accepting = Request(parameter: "acme", headers: ["accept": "image/webp,*/*"])
        let third = try await answer(accepting, Open())
        print(third.status, third.headers["content-type"] ?? "", third.headers["etag"] != tag)
        let other = Request(parameter: "acme", headers: ["accept": "text/html"])
        print(try await answer(other, Open()).status)
        print(try await answer(Request(parameter: "nobody"), Open()).status)
        do {
            print(try await answer(Request(parameter: "acme"), Gone()).status)
        } catch is CancellationError {
            print("nobody listens")
        }
        let service = Task { try await EmblemService().run() }
        service.cancel()
        _ = await service.result
    }
}
