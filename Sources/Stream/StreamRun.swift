import Batch
import Cell
import Engine
import Notation
import Render
import Synchronization
import Transport

/// Rows in, framed records out, for as long as rows come: one process, its connections, caches and
/// workers, for any number of them.
package struct StreamRun: Sendable {
    /// How a stream ended.
    package enum Ending: Sendable {
        case finished
        /// Nothing more was begun, since somebody asked for that.
        case stopped
        /// All rows before it have their records.
        case broken(FrameError)
        case unwritable(Errno)
        case cells(OrderError)
        case noThreads
    }

    private let context: RunContext
    private let template: NameTemplate
    private let feed: RowFeed
    private let stopping = StreamStop()

    package init(_ context: RunContext, _ template: NameTemplate) {
        self.context = context
        self.template = template
        feed = RowFeed(bytesLimit: max(context.settings.bodyBytes, 1 << 20))
    }

    /// Begins nothing more; what is under way ends, unless its reader stands still.
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
            feed.start(input, pictureLimit: context.settings.bytesLimit)
        else { return .noThreads }
        let work = Task { await slide(writer) }
        task.withLock { $0 = work }
        if writer.failure != nil { work.cancel() }
        stopping.onAsk { writer.hurry() }
        await work.value
        context.network.close()
        writer.close()
        if let error = writer.failure { return .unwritable(error) }
        if let error = backend.failure { return .cells(error) }
        backend.close()
        if let error = feed.failure { return .broken(error) }
        return feed.isStopped ? .stopped : .finished
    }

    private func slide(_ writer: FrameWriter) async {
        let rows = ArrivedRows<StreamRow>(
            LookAheadBounds(context.settings, local: context.rowsAtOnce))
        let job = Job(context)
        let remoteOnly = context.settings.remoteOnly
        await context.withExecutor {
            await Window.slide(
                arrivals: { [feed] in await feed.next() },
                wantsMore: { rows.hasRoom },
                arrive: { arrived in
                    for row in arrived {
                        let source = row.item.knownReference(remoteOnly: remoteOnly)
                        rows.add(at: row.item.index, source) { _ in row }
                    }
                },
                next: {
                    guard feed.isStopped || Task.isCancelled else { return rows.next() }
                    rows.stop()
                    return nil
                },
                work: { [template] start, row in
                    let sink = FrameSink(template)
                    let end = await job.run(row.item, sharing: start.shared, into: sink)
                    return (start, row, end, Self.frame(end.record, row.key, sink.pictures))
                },
                receive: { start, row, end, frame in
                    rows.ended(start, end.shared)
                    feed.release(row)
                    if end.record.status != .canceled { await writer.send(frame) }
                    // Without a back end, no other row would fare better.
                    if context.backend.failure != nil { feed.stop() }
                })
        }
    }

    /// The record on a line, and the bytes of its outputs.
    private static func frame(
        _ record: ItemRecord, _ key: JSON?, _ pictures: [[UInt8]]
    ) -> [UInt8] {
        var json = JSONWriter()
        record.write(into: &json, key: key)
        json.endLine()
        var frame = json.take()
        frame.reserveCapacity(pictures.reduce(frame.count) { $0 + $1.count })
        for picture in pictures { frame.append(contentsOf: picture) }
        return frame
    }
}
