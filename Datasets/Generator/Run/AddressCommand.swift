enum AddressCommand {
    static func run(_ arguments: [String]) throws {
        var base = ""
        var output = ""
        var name = "sample"
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--help" || option == "-h" {
                print(help)
                return
            }
            guard let value = rest.popFirst() else {
                throw UsageError(text: "\(option) wants a value")
            }
            switch option {
            case "--base": base = value
            case "--preset": name = value
            case "--output", "-o": output = value
            default: throw UsageError(text: "unknown option \(option)")
            }
        }
        if base.isEmpty { throw UsageError(text: "--base is missing") }
        if output.isEmpty { throw UsageError(text: "--output is missing") }
        guard let plan = DatasetPlan.preset(name) else {
            throw UsageError(text: "no preset is called \(name)")
        }
        let list = AddressList(plan: plan, base: base)
        let cut = output.lastIndex(of: "/").map { output.index(after: $0) } ?? output.startIndex
        let parent = cut == output.startIndex ? "." : String(output[..<cut])
        try OutputTree(root: parent).write(Array(list.csv.utf8), to: String(output[cut...]))
    }

    private static let help = """
        Usage: emblem-dataset urls --base http://HOST:PORT [--preset sample] -o urls.csv

        Makes a list of addresses under which a web server hands out the folder that the preset
        fills (Datasets/Server/nginx.sh does): pictures, some of them twice, some behind redirects,
        and a few that cannot be loaded: missing, refused, cut off, no picture, an error of the
        server. The same options give the same list.
        """
}
