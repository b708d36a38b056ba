/// Text as it may stand in a document of XML.
enum PlotText {
    /// Characters that have a meaning of their own are written out; what no document may hold is
    /// left out.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default:
                if scalar.value >= 0x20, scalar.value < 0xFFFE || scalar.value > 0xFFFF {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
