import Artwork
import Batch
import Codecs
import Engine
import Notation
import Raster
import Render
import Support
import Testing
import Theming
import Transport
import Worker

/// A folder with pictures and everything that a run over them needs.
struct RunFixture {
    private static let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())

    let folder: ScratchFolder
    var settings = RunSettings(layouts: [.small, .large], bytesLimit: 1 << 20)

    /// Whether the history prefetches the items of the last run.
    var looksAhead = true

    init() throws {
        folder = try ScratchFolder()
        // No item reaches its time limit, even on a busy machine.
        settings.network.itemTimeout = .seconds(3_600)
    }

    static func picture(
        _ width: Int, _ height: Int, red: UInt8 = 20, as format: OutputFormat = .png,
        quality: EncodeQuality? = nil
    ) throws -> [UInt8] {
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        buffer.fill(Color(red: red, green: 120, blue: 220))
        return try ImageEncoder.encode(
            buffer,
            EncodeSettings(format: format, quality: quality ?? format.defaultQuality))
    }

    static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" width="120" height="60">\
        <rect width="120" height="60" fill="#0a5fff"/></svg>
        """

    /// Writes pictures `in/p1000.png` and so on, each with its own colour.
    func fill(_ count: Int, side: Int = 48) throws {
        for number in 0..<count {
            try folder.write(
                Self.picture(side, side, red: UInt8(truncatingIfNeeded: number * 9)),
                to: "in/p\(1_000 + number).png")
        }
    }

    func plan(_ inputs: [PlanInput]) throws -> BatchPlan {
        try BatchPlan(
            inputs,
            options: PlanOptions(
                remoteOnly: settings.remoteOnly,
                drawsLabels: settings.recipe.placeholder == .initials))
    }

    /// Plans a list with this text.
    func plan(list text: String, as name: String = "list.csv") throws -> BatchPlan {
        try folder.write(text, to: name)
        return try plan([.list(folder.path(name))])
    }

    var context: RunContext { RunContext(settings: settings, renderer: Self.renderer) }

    /// Creates a context with workers; the default program misbehaves on request.
    func context(
        workers count: Int, program: String = Tool.path(of: "WorkerProbe")
    ) -> RunContext {
        var pool = WorkerSettings(
            count: count, memoryBytes: settings.decodeBytes, program: program)
        pool.backOffNanoseconds = 1_000_000
        return RunContext(
            settings: settings, renderer: Self.renderer,
            workers: WorkerPool(settings: pool, renderer: Self.renderer))
    }

    func batch(
        _ plan: BatchPlan, into out: String = "out", template: String? = nil,
        context: RunContext? = nil, counter: RunCounter = RunCounter(), remembers: Bool = false,
        observer: BatchRun.Observer? = nil
    ) throws -> BatchRun {
        let output = try OutputFolder(FilePath(folder.path(out)))
        let outlet = try Outlet(folder: output, templateText: template)
        let history = remembers ? try RunHistory(output) : nil
        if looksAhead { history?.lookAhead(in: outlet) }
        return BatchRun(
            plan: plan, context: context ?? self.context, outlet: outlet, counter: counter,
            history: history, observer: observer)
    }

    /// Runs the whole plan with the history of earlier runs.
    @discardableResult
    func runAgain(_ plan: BatchPlan, into out: String = "out") async throws
        -> BatchRun.Report
    {
        try await batch(plan, into: out, remembers: true)
            .run(0..<plan.count)
    }

    @discardableResult
    func run(
        _ plan: BatchPlan, into out: String = "out", template: String? = nil,
        context: RunContext? = nil
    ) async throws -> BatchRun.Report {
        try await batch(plan, into: out, template: template, context: context)
            .run(0..<plan.count)
    }

    @discardableResult
    func runFolder(into out: String = "out", context: RunContext? = nil) async throws
        -> BatchRun.Report
    {
        try await run(plan([.source(folder.path("in"))]), into: out, context: context)
    }

    /// Returns every file of a set except the run record, with its bytes.
    func set(in out: String = "out") throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in folder.tree(out) where name != "run.json" {
            files[name] = try folder.read("\(out)/\(name)")
        }
        return files
    }

    /// Returns the inode and the modification time of each file of a set.
    func stamps(in out: String = "out") -> [String: [Int64]] {
        var stamps: [String: [Int64]] = [:]
        for name in folder.tree(out) where name != "run.json" {
            guard let facts = FileFacts.at(FilePath(folder.path("\(out)/\(name)"))) else {
                continue
            }
            stamps[name] = [Int64(bitPattern: facts.identity.inode), facts.modified]
        }
        return stamps
    }

    func items(in out: String = "out") throws -> [ManifestItem] {
        try records(in: out).filter { $0["type"]?.stringValue == "item" }.map(ManifestItem.init)
    }

    func records(in out: String = "out") throws -> [JSON] {
        var reader = try ManifestReader(folder: FilePath(folder.path(out)))
        var records: [JSON] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    func verification(of out: String = "out") throws -> Verification {
        try Verification(folder: FilePath(folder.path(out)))
    }

    /// The pictures under their final names.
    func pictures(in out: String = "out") -> [String] {
        folder.tree(out).filter { !$0.hasSuffix("json") }
    }
}

struct ManifestItem: CustomTestStringConvertible {
    let json: JSON

    init(_ json: JSON) { self.json = json }

    var id: String? { json["id"]?.stringValue }
    var status: String? { json["status"]?.stringValue }
    var placeholder: String? { json["placeholder"]?.stringValue }
    var errorClass: String? { json[path: ["error", "class"]]?.stringValue }
    var line: Int? { json["line"]?.intValue }
    var paths: [String] {
        (json["outputs"]?.elements ?? []).compactMap { $0["path"]?.stringValue }
    }
    var testDescription: String { json.text }
}
