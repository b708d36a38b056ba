import Batch
import Engine
import Notation
import Render
import Synchronization
import Transport
import Worker

/// Reads rows and writes framed records until the input ends. One process keeps its connections,
/// caches and workers for any number of rows.
package struct StreamRun: Sendable {
    package enum Ending: Sendable {
        case finished
        /// The run was asked to stop.
        case stopped
        /// The stream is malformed; all rows before the error have their records.
        case broken(FrameError)
        case unwritable(Errno)
        case workers(OrderError)
        case noThreads
    }

    private let context: RunContext
    private let template: NameTemplate
    private let dialect: ListDialect
    private let feed: RowFeed
    private let counter = RunCounter()
    private let writesSummary: Bool
    private let stopping = StreamStop()

    /// - Parameter writesSummary: Whether a record with the counts follows the last row.
    package init(
        _ context: RunContext, _ template: NameTemplate, dialect: ListDialect = ListDialect(),
        writesSummary: Bool = false
    ) {
        self.context = context
        self.template = template
        self.dialect = dialect
        self.writesSummary = writesSummary
        feed = RowFeed(bytesLimit: max(context.settings.bodyBytes, 1 << 20))
    }

    package var counts: RunCounts { counter.now }

    /// Stops the run: no further row begins. Rows in progress finish, unless the reader of the
    /// output is blocked.
    package func stop() {
        feed.stop()
        stopping.ask()
    }

    /// Reads `input` to its end and writes a frame for each row to `output`.
    package func run(from input: Int32 = 0, to output: Int32 = 1) async -> Ending {
        let backend = context.backend
        let task = Mutex<Task<Void, Never>?>(nil)
        let writer = FrameWriter(output) { task.withLock { $0 }?.cancel() }
        guard writer.start(),
            feed.start(input, pictureLimit: context.settings.bytesLimit, dialect: dialect)
        else { return .noThreads }
        let work = Task { await runRows(writer) }
        task.withLock { $0 = work }
        if writer.failure != nil { work.cancel() }
        stopping.onAsk { writer.hurry() }
        await work.value
        // The summary marks a complete stream, so an interrupted stream has none.
        if writesSummary, feed.failure == nil, !feed.isStopped, backend.failure == nil {
            await writer.send(Manifest.summary(counts))
        }
        context.network.shutDown()
        writer.close()
        if let error = writer.failure { return .unwritable(error) }
        if let error = backend.failure { return .workers(error) }
        backend.close()
        if let error = feed.failure { return .broken(error) }
        return feed.isStopped ? .stopped : .finished
    }

    private func runRows(_ writer: FrameWriter) async {
        var rows: [Int: StreamRow] = [:]
        let job = Job(context)
        let remoteOnly = context.settings.remoteOnly
        await context.withExecutor {
            await RunLoop.run(
                LookAheadBounds(context.settings, local: context.rowsAtOnce),
                arrivals: { [feed] in await feed.next() },
                read: { arrived, lookAhead in
                    for row in arrived ?? [] {
                        let index = row.item.index
                        rows[index] = row
                        lookAhead.add(
                            PlannedRow(place: index, index: index),
                            row.item.knownReference(remoteOnly: remoteOnly))
                    }
                },
                begin: { start -> RunLoop.Start<(SharedResult?, StreamRow)>? in
                    rows.removeValue(forKey: start.row.index).map { .work((start.shared, $0)) }
                },
                isEnding: { feed.isStopped || Task.isCancelled }, cancelsWork: false,
                work: { [counter, mask = context.settings.mask, template] shared, row in
                    counter.started()
                    let sink = FrameSink(template)
                    let end = await job.run(row.item, sharing: shared, into: sink)
                    let frame = Self.frame(end.record, row, mask, sink.pictures)
                    return (end.shared, (row, end, frame))
                },
                receive: { row, end, frame in
                    feed.release(row)
                    if end.record.status != .canceled {
                        counter.ended(end)
                        await writer.send(frame)
                    }
                    // Without a backend, every other row would fail too.
                    if context.backend.failure != nil { feed.stop() }
                })
        }
    }

    /// Returns the record on one line, followed by the bytes of its outputs.
    private static func frame(
        _ record: ItemRecord, _ row: StreamRow, _ mask: SourceMask, _ pictures: [[UInt8]]
    ) -> [UInt8] {
        var json = JSONWriter()
        let isBad = record.failure?.errorClass == .badRow
        record.write(
            into: &json, key: row.key, beginning: isBad ? beginning(of: row, mask) : nil)
        json.endLine()
        var frame = json.take()
        frame.reserveCapacity(pictures.reduce(frame.count) { $0 + $1.count })
        for picture in pictures { frame.append(contentsOf: picture) }
        return frame
    }

    /// The first 100 characters of a row, without the secrets of its URLs.
    private static func beginning(of row: StreamRow, _ mask: SourceMask) -> String {
        var text = PrintableText.escaped(row.beginning.span)
        // The mask looks for these characters, which JSON can also write as escapes.
        for (code, sign) in [("40", "@"), ("2f", "/"), ("3a", ":"), ("3f", "?")] {
            text = text.replacing("\\u00\(code)", with: sign)
                .replacing("\\u00\(code.uppercased())", with: sign)
        }
        text = text.replacing("\\/", with: "/")
        return PrintableText.escaped(
            mask.shown(SourceMask.inside(message: text)), limit: 100)
    }
}

/// Keeps the pictures of one row in memory, for the frame of that row.
final class FrameSink: OutputSink {
    private let template: NameTemplate
    private let held = Mutex<[[UInt8]]>([])

    init(_ template: NameTemplate) { self.template = template }

    /// Each row has its own frame, so equal names do not collide.
    var storesEqualNamesOnce: Bool { false }

    var pictures: [[UInt8]] { held.withLock { $0 } }

    func store(
        _ images: [RenderedImage], of item: BatchItem, past: PastItem?
    ) throws(JobStop) -> [OutputRecord] {
        var outputs: [OutputRecord] = []
        for image in images {
            outputs.append(OutputRecord(image, path: try template.path(of: image, item).text))
        }
        held.withLock { $0 = images.map(\.bytes) }
        return outputs
    }
}

/// A stop request, which may arrive before there is anything to stop.
final class StreamStop: Sendable {
    private struct State {
        var isAskedFor = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func ask() {
        let action = state.withLock { state in
            state.isAskedFor = true
            return state.action
        }
        action?()
    }

    /// Calls `action` when a stop is requested, or at once if it already was.
    func onAsk(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.action = action
            return state.isAskedFor
        }
        if isLate { action() }
    }
}
