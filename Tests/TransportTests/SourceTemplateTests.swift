import Notation
import Testing
import Transport

@Suite("Source templates and domains")
struct SourceTemplateTests {
    private static func template(_ text: String) throws(SourceTemplateError) -> SourceTemplate {
        try SourceTemplate(text) { ["TOKEN": "a b/c&d=é", "SHORT": "b/c", "EMPTY": ""][$0] }
    }

    @Test("a template becomes the URL of a domain, with the secret percent-encoded")
    func urls() throws {
        let template = try Self.template("https://logos.example/{domain}/{scheme}?t={env:TOKEN}")
        let light = template.source(of: "a.example", isDark: false)
        #expect(light.text == "https://logos.example/a.example/light?t=a%20b%2Fc%26d%3D%C3%A9")
        #expect(light.kind == .remote)
        #expect(template.source(of: "a.example", isDark: true).text.contains("/dark?"))
        #expect(template.dependsOnScheme)
        #expect(!template.text.contains("a b"))
        let site = try Self.template("site:{domain}").source(of: "a.example", isDark: false)
        #expect(site.kind == .site(page: "https://a.example/"))
    }

    @Test("secrets of templates are masked in other texts")
    func masking() throws {
        var settings = NetworkSettings()
        settings.sourceTemplates = [try Self.template("https://h/{domain}?t={env:TOKEN}")]
        let url = settings.sources(of: "a.example", isDark: false)[0].text
        #expect(settings.masked("at \(url)!") == "at https://h/a.example?t=***!")
        #expect(settings.masked("https://h/x?a b/c&d=é&y") == "https://h/x?***&y")
    }

    @Test("a secret that contains another secret of a template is masked as a whole")
    func nestedMasking() throws {
        var settings = NetworkSettings()
        settings.sourceTemplates = [
            try Self.template("https://h/{domain}?s={env:SHORT}&t={env:TOKEN}")
        ]
        let url = settings.sources(of: "a.example", isDark: false)[0].text
        #expect(settings.masked(url) == "https://h/a.example?s=***&t=***")
        #expect(settings.masked("a b/c&d=é b/c") == "*** ***")
    }

    @Test(
        "a template with a secret is refused if the domain decides who owns the host",
        arguments: [
            "{domain}", "{domain}:8443", "logos.{domain}", "{domain}.com", "{domain}.com.",
            "{domain}x.logos.example", "{domain}.logos.example.{domain}", "user@{domain}",
            "logos.example@{domain}",
        ])
    func hostOfSecret(_ host: String) throws {
        do throws(SourceTemplateError) {
            _ = try Self.template("https://\(host)/logo?key={env:TOKEN}")
            Issue.record("The template was accepted.")
        } catch {
            #expect("\(error)".contains("a list would choose the host"), "\(error)")
        }
    }

    @Test(
        "a host that ends with two fixed labels may receive a secret, and any host a plain request",
        arguments: [
            "https://{domain}.logos.example/?key={env:TOKEN}",
            "https://{domain}.logos.example:8443/?key={env:TOKEN}",
            "https://h/{domain}?key={env:TOKEN}", "https://{domain}/logo.svg",
            "https://logos.{domain}/{scheme}",
        ])
    func hosts(_ text: String) throws {
        #expect(try Self.template(text).text == text)
    }

    @Test(
        "a template that cannot be used is refused",
        arguments: [
            "https://h/{domain}{env:NONE}", "https://h/{domain}{env:EMPTY}", "https://h/{name}",
            "https://h/logo", "https://h/{domain", "file:///{domain}", "h/{domain}", "{domain}",
            "https://{env:TOKEN}/{domain}", "https://{scheme}.h/{domain}", "https:///{domain}",
            "https://{env:TOKEN}@h/{domain}", "site:{domain}/x", "https://h\\{domain}", "",
        ])
    func refusals(_ text: String) {
        #expect(throws: SourceTemplateError.self) { try Self.template(text) }
    }

    @Test(
        "a text that is not a domain changes neither the host nor the path of a template",
        arguments: [
            "a.example/..", "a.example@evil.example", "https://a.example", "a.example?x", "a.b#c",
            "a%2eexample", "a.example:80", "127.0.0.1", "[::1]", "2130706433", "0x7f.1",
            "localhost",
            "a..b", ".a.b", "a b.example", "a.example\n", "a\u{0}.b", "", ".", "a.example\\x",
            "{domain}.a",
            String(repeating: "a.", count: 200) + "b",
        ])
    func domains(_ text: String) throws {
        #expect(DomainName.read(text) == nil)
    }

    @Test(
        "a domain is read in lower case, without a final dot and in its ASCII form",
        arguments: [
            ("Example.COM", "example.com"), (" a.example. ", "a.example"),
            ("bücher.example", "xn--bcher-kva.example"), ("a-b.c_d.example", "a-b.c_d.example"),
        ])
    func spellings(_ text: String, _ expected: String) {
        #expect(DomainName.read(text) == expected)
    }

    @Test("the column domain gives a source, or a further one")
    func rows() throws {
        func row(_ json: String) throws -> ListRow {
            ListRow(try JSONParser.parse(Array(json.utf8).span), line: 1)
        }
        let alone = try row(#"{"domain": "A.example", "id": "a"}"#)
        #expect(alone.source == "domain:a.example")
        #expect(alone.extra.map(\.name) == ["domain"])
        let both = try row(
            #"{"domain": "a.example", "source": "x.png", "alternatives": ["y.png"]}"#)
        #expect(both.source == "x.png" && both.alternatives == ["y.png", "domain:a.example"])
        let again = try row(#"{"domain": "a.example", "source": "domain:a.example"}"#)
        #expect(again.alternatives.isEmpty)
        let bad = try row(#"{"domain": "https://a.example/"}"#)
        #expect("\(try #require(bad.problem))".contains("domain name such as example.com"))
        #expect(try row(#"{"domain": "", "source": "x.png"}"#).alternatives.isEmpty)
    }

    @Test("site: and domain: are sources, and name a host or a page")
    func sources() throws {
        #expect(
            try SourceReference.argument("site:Example.com").kind
                == .site(page: "https://example.com/"))
        #expect(
            try SourceReference.argument("site:http://a.example:81/x").kind
                == .site(page: "http://a.example:81/x"))
        #expect(try SourceReference.argument("domain:Example.com").kind == .domain("example.com"))
        for text in [
            "site:", "site:localhost", "site:10.0.0.1", "site:file:///etc", "site:a/b", "domain:",
            "domain:a",
        ] {
            #expect(throws: IntakeError.self, "\(text)") { try SourceReference.argument(text) }
        }
        #expect(URLGrammar.host(of: "site:Example.com") == "example.com")
        #expect(URLGrammar.host(of: "site:https://A.example/x") == "a.example")
        #expect(URLGrammar.host(of: "domain:a.example") == "a.example")
    }
}
