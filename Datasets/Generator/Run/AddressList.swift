/// A list of addresses for a web server that hands out the pictures of a plan: most of them good, a
/// few moved, some twice, and a few that cannot be loaded.
struct AddressList {
    private struct Row {
        let id: String
        let url: String
        let label: String
        var appearance = "brand"
        var alternatives = ""
        let merchant: Int
    }

    private let plan: DatasetPlan
    /// Where the server is, without a slash at the end.
    private let base: String

    init(plan: DatasetPlan, base: String) {
        self.plan = plan
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// The list as CSV. `merchant` and `group` mean nothing to the tool and so travel to the
    /// manifest.
    var csv: String {
        let head = "id,url,label,appearance,alternatives,merchant,group\n"
        return rows().reduce(into: head) { text, row in
            text +=
                "\(row.id),\(row.url),\(row.label),\(row.appearance),\(row.alternatives),"
                + "\(row.merchant),online\n"
        }
    }

    private func rows() -> [Row] {
        var rows = logos()
        rows += webps()
        rows += twice(of: rows)
        return rows + lost(from: rows.count)
    }

    /// Every second logo; each fifth of them has moved, half of those for good.
    private func logos() -> [Row] {
        (0..<plan.logos / 2).map { number in
            let logo = plan.logo(number * 2)
            let place = number % 10 == 4 ? "/moved" : number % 10 == 9 ? "/for-good" : ""
            return row(number, at: "\(base)\(place)/\(logo.path)", logo.design.name.label)
        }
    }

    private func webps() -> [Row] {
        let first = plan.logos / 2
        return (0..<plan.webps / 3).map { number in
            let picture = WebPPicture(seed: plan.seed, number: number * 3, folder: "webp")
            return row(first + number, at: "\(base)/\(picture.path)", picture.label)
        }
    }

    /// Each fifth address once more, for another merchant on another colour.
    private func twice(of rows: [Row]) -> [Row] {
        stride(from: 0, to: rows.count, by: 5).enumerated().map { index, place in
            var again = row(
                rows.count + index, at: rows[place].url, "\(rows[place].label) Online")
            again.appearance = "category\(index % 10 + 1)"
            return again
        }
    }

    /// What fails, and one address that fails beside another that does not.
    private func lost(from first: Int) -> [Row] {
        let sources = [
            ("\(base)/logos/gone.png", "Gone Harbour"), ("\(base)/logos/closed.png", "Closed Inn"),
            ("\(base)/errors/500/a.png", "Faulty Fuel"),
            ("\(base)/broken/page.png", "Paper Press"),
            ("\(base)/broken/png-cut-50.png", "Half Hotel"),
            ("\(refusing)/logo.png", "Silent Shoes"),
        ]
        var rows = sources.enumerated().map { index, source in
            row(first + index, at: source.0, source.1)
        }
        var saved = row(
            first + rows.count, at: "\(base)/logos/lost.png", "Second Try Supplies")
        saved.alternatives = "\(base)/\(plan.logo(0).path)"
        rows.append(saved)
        return rows
    }

    /// The same host at a port that nobody listens on.
    private var refusing: String {
        guard let colon = base.lastIndex(of: ":"), base[colon...].dropFirst().allSatisfy(\.isNumber)
        else { return "\(base):1" }
        return "\(base[..<colon]):1"
    }

    private func row(_ number: Int, at url: String, _ label: String) -> Row {
        let digits = String(1000 + number)
        return Row(
            id: "online-\(digits.dropFirst())", url: url, label: label, merchant: 4000 + number)
    }
}
