import Render
import Theming

extension WireWriter {
    mutating func put(_ decision: LogoDecision) {
        put(choice: decision.kind)
        put(decision.trim)
        put(decision.inset)
        put(list: decision.grounds) { wire, ground in
            wire.put(choice: ground.scheme)
            wire.put(choice: ground.appearance)
            wire.put(choice: ground.colors)
            wire.put(choice: ground.reason)
            wire.put(ground.shownBefore)
            wire.put(ground.shown)
        }
    }
}

extension WireReader {
    mutating func decision() throws(WireDamage) -> LogoDecision {
        let shares = 0...100
        return LogoDecision(
            kind: try choice(), trim: try number(in: shares), inset: try number(in: shares),
            grounds: try list(limit: ColorScheme.allCases.count) { wire throws(WireDamage) in
                LogoDecision.Ground(
                    scheme: try wire.choice(), appearance: try wire.choice(),
                    colors: try wire.choice(), reason: try wire.choice(),
                    shownBefore: try wire.number(in: shares), shown: try wire.number(in: shares))
            })
    }
}
