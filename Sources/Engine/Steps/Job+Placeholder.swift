import Artwork
import Cell
import Codecs
import Raster
import Render
import Theming
import Transport

extension Job {
    /// Draws what stands in for the picture: the row's own placeholder, else the run's.
    func substitute(_ work: inout JobWork) async throws(JobStop) {
        // An item without its picture still gets its outputs, however late it is.
        work.clock.stopLimit()
        guard let grant = await granted(1, from: shop.renderers) else { throw .canceled }
        work.renderer = consume grant
        defer {
            work.renderer = nil
            work.pixels = nil
        }
        var recipe = work.recipe
        if let path = work.item.placeholderPath(remoteOnly: shop.settings.remoteOnly),
            let own = readPlaceholder(path, named: work.item.placeholder ?? "")
        {
            recipe.placeholder = own
            if try await draw(recipe, &work) { return }
            recipe.placeholder = work.recipe.placeholder
        }
        if try await draw(recipe, &work) { return }
        recipe.placeholder = .icon(recipe.component.icon)
        guard try await !draw(recipe, &work) else { return }
        throw .failure(
            ItemFailure(.encode, stage: .encode, detail: "not even the placeholder can be drawn"))
    }

    /// Draws the recipe's placeholder; `false` when it cannot be drawn and another should be tried.
    private func draw(_ recipe: Recipe, _ work: inout JobWork) async throws(JobStop) -> Bool {
        let standIn = StandIn(
            recipe.placeholder, label: work.item.label, icon: recipe.component.icon)
        guard let standIn else {
            work.record.status = .failed
            return true
        }
        if let kept = shop.placeholders.rendering(of: standIn, recipe) {
            work.show(kept, of: standIn)
            return true
        }
        do throws(JobStop) {
            let answer = try await carry(
                out: standIn.content, recipe: recipe, beside: 0,
                patience: shop.settings.itemNanoseconds, &work)
            let rendering = try answer.rendering()
            shop.placeholders.keep(rendering, of: standIn, recipe)
            work.show(rendering, of: standIn)
            return true
        } catch {
            guard case .failure = error else { throw error }
            return false
        }
    }

    private func readPlaceholder(_ path: FilePath, named name: String) -> PlaceholderChoice? {
        do throws(IntakeError) {
            let (bytes, _) = try FileIntake.read(path, bytesLimit: shop.settings.bytesLimit)
            return .picture(name: name, bytes: bytes)
        } catch {
            return nil
        }
    }
}

extension JobWork {
    /// Lets a placeholder stand for the item's picture.
    fileprivate mutating func show(_ rendering: Rendering, of standIn: StandIn) {
        self.rendering = rendering
        record.status = .placeholder
        record.placeholder = standIn.name
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
        case .icon(let icon): "icon:\(icon.rawValue)"
        case .initials(let initials): "initials:\(initials.text)"
        case .picture(let name, _): "file:\(SourceMask().shown(name))"
        }
    }

    /// What is drawn.
    var content: RenderOrder.Content {
        switch self {
        case .icon(let icon): .icon(icon)
        case .initials(let initials): .initials(initials)
        case .picture(_, let bytes): .picture(bytes)
        }
    }
}
