import Batch
import Engine
import Render
import Synchronization
import Transport

/// Keeps the pictures of one row for its frame.
final class FrameSink: OutputSink {
    private let template: NameTemplate
    private let held = Mutex<[[UInt8]]>([])

    init(_ template: NameTemplate) { self.template = template }

    /// Each row has its own frame, whatever its outputs are called.
    var isOnePlace: Bool { false }

    /// The bytes of the outputs, in their order.
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
