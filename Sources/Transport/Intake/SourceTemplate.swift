import Notation

/// The URL of a logo service with placeholders for the domain and the scheme of an item, and for
/// secrets from the environment.
///
/// A template is either such a URL or `site:{domain}`, the icon that the site itself names. It may
/// come from the command line only, never from a list, since it reads the environment.
package struct SourceTemplate: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
        case text(String)
        case domain
        case scheme
        case secret(String)
    }

    /// The source of a domain if there is no template.
    package static let site = SourceTemplate(text: "site:{domain}", pieces: [])

    /// The text as given, with the names of environment variables in place of their values.
    package let text: String
    /// Empty for `site:{domain}`.
    private let pieces: [Piece]

    private init(text: String, pieces: [Piece]) {
        self.text = text
        self.pieces = pieces
    }

    /// Parses a template; `variable` returns the value of an environment variable.
    package init(
        _ text: String, variable: (String) -> String?
    ) throws(SourceTemplateError) {
        guard text != Self.site.text else {
            self = .site
            return
        }
        pieces = try Self.pieces(of: text, variable)
        self.text = text
        guard pieces.contains(.domain) else { throw .invalid("it has no {domain}") }
        let lead = URLGrammar.parts(of: text)
        guard let lead, ["http", "https"].contains(lead.scheme), lead.hasSlashes, lead.hasHost
        else {
            throw .invalid("it is neither an http or https URL nor site:{domain}")
        }
        // The host of a request is shown in records, so it must not depend on a secret.
        let authority = String(Substring(lead.authority))
        guard !authority.replacing("{domain}", with: "").contains("{") else {
            throw .invalid("its host may contain {domain} only")
        }
        guard secrets.isEmpty || Self.hasFixedOwner(Substring(lead.host)) else {
            throw .invalid(
                "a list would choose the host that receives {env:}, as no fixed name of two labels "
                    + "such as .logos.example follows {domain}")
        }
        do throws(NetworkFailure) {
            _ = try WebAddress(url(of: "example.com", isDark: false))
        } catch {
            throw .invalid("it is not a valid URL")
        }
    }

    /// Returns whether one owner has the host for every domain. Two labels must follow `{domain}`,
    /// because a list could name a registered domain below a single label such as `.com`.
    private static func hasFixedOwner(_ host: Substring) -> Bool {
        guard let domain = host.ranges(of: "{domain}").last else { return true }
        let suffix = host[domain.upperBound...].prefix { $0 != ":" }
        return suffix.first == "." && suffix.split(separator: ".").count > 1
    }

    private static func pieces(
        of text: String, _ variable: (String) -> String?
    ) throws(SourceTemplateError) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw .invalid("a brace is not closed")
            }
            let name = rest[rest.index(after: open)..<close]
            switch name {
            case "domain": pieces.append(.domain)
            case "scheme": pieces.append(.scheme)
            case _ where name.hasPrefix("env:"):
                let name = String(name.dropFirst("env:".count))
                guard !name.isEmpty else { throw .invalid("{env:} has no name of a variable") }
                guard let value = variable(name), !value.isEmpty else {
                    throw .variableMissing(name)
                }
                pieces.append(.secret(value))
            default: throw .unknownPlaceholder(String(name))
            }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    /// Whether light and dark outputs have different sources.
    package var dependsOnScheme: Bool { pieces.contains(.scheme) }

    /// The values from the environment, as they are and as they stand in URLs.
    var secrets: [String] {
        let values = pieces.compactMap { piece -> String? in
            if case .secret(let value) = piece { value } else { nil }
        }
        return values + values.map { PercentCoding.encoded($0) }
    }

    /// Returns the source of a domain.
    package func source(of domain: String, isDark: Bool) -> SourceReference {
        guard !pieces.isEmpty else {
            return SourceReference(
                text: "site:" + domain, kind: .site(page: "https://\(domain)/"))
        }
        return SourceReference(text: url(of: domain, isDark: isDark), kind: .remote)
    }

    private func url(of domain: String, isDark: Bool) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            // Only letters, digits, dots, dashes and underscores, so it needs no encoding.
            case .domain: domain
            case .scheme: isDark ? "dark" : "light"
            case .secret(let value): PercentCoding.encoded(value)
            }
        }.joined()
    }
}

/// The reason why a source template cannot be used.
package enum SourceTemplateError: Error, Sendable, Hashable {
    case invalid(String)
    case unknownPlaceholder(String)
    /// The environment variable is not set, or is empty.
    case variableMissing(String)
}

/// A name of the domain name system, in ASCII and lower case.
package enum DomainName {
    /// Returns the domain in a text; nil if it is anything else, such as a URL, an address or a
    /// single label. A name in other scripts is converted to its `xn--` form.
    package static func read(_ text: String) -> String? {
        var name = SourceReference.withoutBlanks(text)
        if name.last == "." { name = name.dropLast() }
        guard name.utf8.count <= 1_024, !URLGrammar.hasControl(text) else { return nil }
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        guard let ascii = isASCII ? String(name) : HostSpelling.ascii(String(name)),
            let (host, literal) = HostSpelling.classify(ascii.lowercased()), literal == nil,
            host.dropFirst().dropLast().contains(".")
        else { return nil }
        return host
    }
}
