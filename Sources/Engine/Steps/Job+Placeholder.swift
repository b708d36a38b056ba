import Artwork
import Render
import Transport

extension Job {
    /// Draws what stands in for the picture: the row's own placeholder, else the run's.
    func substitute(
        _ input: JobInput, _ meter: inout JobMeter, _ draft: inout Draft
    ) async throws(JobStop) {
        // An item without its picture still gets its outputs, however late it is.
        meter.clock.stopLimit()
        meter.clock.wait()
        let renderer = try await granted(1, from: context.renderers)
        try await drawFirst(input, &meter, &draft)
        _ = consume renderer
    }

    /// The first that can be drawn of what may stand in.
    private func drawFirst(
        _ input: JobInput, _ meter: inout JobMeter, _ draft: inout Draft
    ) async throws(JobStop) {
        let usual = input.recipe.placeholder
        var choices = [usual, .icon(input.recipe.component.icon)]
        if let own = ownPlaceholder(input.item) { choices.insert(own, at: 0) }
        for choice in choices {
            let standIn = StandIn(
                choice, label: input.item.label, icon: input.recipe.component.icon)
            guard let standIn else {
                draft.record.status = .failed
                return
            }
            if try await draw(standIn, input, &meter, &draft) {
                draft.record.status = .placeholder
                draft.record.placeholder = standIn.name
                return
            }
        }
        throw .failure(
            ItemFailure(.encode, stage: .encode, detail: "not even the placeholder can be drawn"))
    }

    /// False when it cannot be drawn and another should be tried.
    private func draw(
        _ standIn: StandIn, _ input: JobInput, _ meter: inout JobMeter, _ draft: inout Draft
    ) async throws(JobStop) -> Bool {
        do throws(JobStop) {
            switch goal {
            case .emblems:
                draft.rendering = try await rendering(of: standIn, input, &meter)
            case .content:
                draft.content = try await content(of: standIn, input, &meter)
            }
            return true
        } catch {
            guard case .failure = error else { throw error }
            return false
        }
    }

    private func rendering(
        of standIn: StandIn, _ input: JobInput, _ meter: inout JobMeter
    ) async throws(JobStop) -> Rendering {
        if let known = context.placeholders.rendering(of: standIn, input.recipe) { return known }
        let (subject, bytes) = standIn.subject
        let answer = await carryOut(
            subject, of: bytes, input.recipe, beside: 0,
            patience: context.settings.itemNanoseconds, &meter)
        let rendering = try answer.result.get()
        context.placeholders.keep(rendering, of: standIn, input.recipe)
        return rendering
    }

    private func content(
        of standIn: StandIn, _ input: JobInput, _ meter: inout JobMeter
    ) async throws(JobStop) -> EmblemContent? {
        switch standIn {
        case .icon(let icon): .icon(icon)
        case .initials(let initials): .initials(initials)
        case .picture(_, let bytes):
            try await content(
                of: bytes, input.recipe, patience: context.settings.itemNanoseconds, &meter)
        }
    }

    /// The file that the row names as its placeholder.
    private func ownPlaceholder(_ item: BatchItem) -> PlaceholderChoice? {
        guard let path = item.placeholderPath(remoteOnly: context.settings.remoteOnly) else {
            return nil
        }
        do throws(IntakeError) {
            let (bytes, _) = try FileIntake.read(path, bytesLimit: context.settings.bytesLimit)
            return .picture(name: item.placeholder ?? "", bytes: bytes)
        } catch {
            return nil
        }
    }
}

/// A placeholder made concrete for one item.
enum StandIn: Hashable, Sendable {
    case icon(BuiltInIcon)
    case initials(Initials)
    case picture(name: String, bytes: [UInt8])

    /// What `choice` means for an item with this label, `icon` where it has none; `nil` when
    /// nothing shall stand in.
    init?(_ choice: PlaceholderChoice, label: String?, icon: BuiltInIcon) {
        switch choice {
        case .icon(let icon): self = .icon(icon)
        case .picture(let name, let bytes): self = .picture(name: name, bytes: bytes)
        case .none: return nil
        case .letters(let initials): self = .initials(initials)
        case .initials:
            if let initials = label.flatMap({ Initials.from(label: $0) }) {
                self = .initials(initials)
            } else {
                self = .icon(icon)
            }
        }
    }

    /// The name in the manifest.
    var name: String {
        switch self {
        case .icon(let icon): PlaceholderChoice.icon(icon).spelling
        case .initials(let initials): PlaceholderChoice.letters(initials).spelling
        case .picture(let name, _): "file:\(SourceMask().shown(name))"
        }
    }

    /// What is drawn, and of which bytes.
    var subject: (RenderOrder.Subject, of: [UInt8]) {
        switch self {
        case .icon(let icon): (.icon(icon), [])
        case .initials(let initials): (.initials(initials), [])
        case .picture(_, let bytes): (.picture, bytes)
        }
    }
}
