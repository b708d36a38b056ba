/// A list of URLs for a web server with the pictures of a plan: most are good, some are redirected
/// or duplicated, and a few cannot be loaded.
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
    /// The server's URL without a trailing slash.
    private let base: String

    init(plan: DatasetPlan, base: String) {
        self.plan = plan
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// The list as CSV. The tool does not use `merchant` and `group` and copies them to the
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

    /// Rows for every second logo. A fifth of them is redirected, and half of these redirects are
    /// permanent.
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

    /// Repeats every fifth URL for another merchant with another background.
    private func twice(of rows: [Row]) -> [Row] {
        stride(from: 0, to: rows.count, by: 5).enumerated().map { index, place in
            var again = row(
                rows.count + index, at: rows[place].url, "\(rows[place].label) Online")
            again.appearance = "category\(index % 10 + 1)"
            return again
        }
    }

    /// Rows whose URLs fail, and a row whose URL fails but that has a working alternative.
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

    /// A URL on the same host with a port on which no program listens.
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
