import EmblemCLI
import Flags
import Notation
import Render
import Testing

@Suite("Looks of the configuration file")
struct LooksTests {
    private static func looks(_ json: String) throws(UsageError) -> Looks {
        try Looks(
            try ConfigurationFile(name: "emblem.json", Array(#"{"looks": \#(json)}"#.utf8).span))
    }

    private static func complaint(_ json: String) -> String? {
        do throws(UsageError) {
            _ = try looks(json)
            return nil
        } catch {
            return error.description
        }
    }

    private static func text(_ look: Look) -> String {
        look.options.map { "\($0.name)=\($0.text)" }.sorted().joined(separator: " ")
    }

    @Test("a look extends another one in any order, and its options replace inherited ones")
    func extended() throws {
        let looks = try Self.looks(
            """
            {"sale": {"extends": "shop", "border": 1.5, "mode": "fill"},
             "shop": {"extends": "icons", "padding": "10%", "linear": true},
             "own": {"background-from": ["info", "category3"], "border": 0}}
            """)
        #expect(
            looks.all.map(\.name) == ["plain", "logos", "photos", "icons", "sale", "shop", "own"])
        let origin = Origin.commandLine("--look")
        #expect(
            Self.text(try looks.look(named: "shop", origin))
                == "linear=true padding=10% tint=always trim=transparent")
        #expect(
            Self.text(try looks.look(named: "sale", origin))
                == "border=1.5 linear=true mode=fill padding=10% tint=always trim=transparent")
        #expect(
            Self.text(try looks.look(named: "own", origin))
                == "background-from=info,category3 border=0")
        for look in looks.all {
            var recipe = Recipe(variants: [])
            recipe.apply(look)
            #expect(recipe.look == look.name)
        }
    }

    @Test("a configuration file without the key has the built-in looks")
    func none() throws {
        #expect(try Looks(nil).all.count == 4)
        #expect(try Self.looks("{}").all.count == 4)
    }

    @Test("a look can set each option to each of its values")
    func words() throws {
        for option in LookOption.ofLooks {
            for word in option.kind.words {
                let json = #"{"a": {"\#(option.name)": "\#(word)"}}"#
                #expect(Self.complaint(json) == nil, "\(json)")
            }
        }
    }

    @Test(
        "an error in a look definition is named with its place and a correction",
        arguments: [
            ("[]", ["line 1, \"looks\" is an array"]),
            (#"{"shop": 3}"#, ["\"looks.shop\" is a number", "extends"]),
            (#"{"Shop": {}}"#, ["looks.Shop", "1 to 40 characters of a-z, 0-9 and -", "Rename"]),
            (#"{"": {}}"#, ["1 to 40 characters"]),
            (#"{"logos": {}}"#, ["logos is a built-in look", "Rename"]),
            ("{\"a\": {},\n\"b\": {\"paddin\": 1}}", ["line 2", "looks.b.paddin", "'padding'?"]),
            (#"{"a": {"format": "png"}}"#, ["not an option that a look can set", "mode, gravity"]),
            (#"{"a": {"badge": "3:danger"}}"#, ["not an option that a look can set"]),
            (#"{"a": {"placeholder": "/etc/passwd"}}"#, ["not an option that a look can set"]),
            (#"{"a": {"look": "logos"}}"#, ["not an option that a look can set", "extends"]),
            (#"{"a": {"radius": 12}}"#, ["not an option that a look can set"]),
            (#"{"a": {"padding": "26%"}}"#, ["looks.a.padding", "from 0% to 25%"]),
            (#"{"a": {"padding": [1, 2]}}"#, ["looks.a.padding", "array"]),
            (#"{"a": {"linear": "true"}}"#, ["looks.a.linear", "without quotes"]),
            (#"{"a": {"trim": "transparant"}}"#, ["looks.a.trim", "Did you mean 'transparent'?"]),
            (#"{"a": {"extends": 1}}"#, ["looks.a.extends", "not the name of a look"]),
            (
                #"{"a": {"extends": "logo"}}"#,
                ["no look 'logo'", "Did you mean 'logos'?", "plain, logos, photos, icons, a"]
            ),
            (#"{"a": {"extends": "a"}}"#, ["extends itself: a → a."]),
            (
                #"{"z": {"extends": "a"}, "a": {"extends": "b"}, "b": {"extends": "a"}}"#,
                ["extends itself: a → b → a."]
            ),
        ])
    func faults(json: String, words: [String]) throws {
        let complaint = try #require(Self.complaint(json))
        for word in words { #expect(complaint.contains(word), "\(word): \(complaint)") }
        #expect(complaint.hasPrefix("emblem.json line "), "\(complaint)")
    }

    @Test("the number of looks is bounded, and so is the list of looks in a message")
    func bounds() throws {
        func many(_ count: Int, _ last: String = "{}") -> String {
            let others = (1..<count).map { #""look-\#($0)": {"extends": "look-\#($0 + 1)"}"# }
            return "{" + (others + [#""look-\#(count)": \#(last)"#]).joined(separator: ",") + "}"
        }
        #expect(try Self.looks(many(64)).all.count == 68)
        #expect(Self.complaint(many(65))?.contains("defines 65 looks; the limit is 64") == true)
        let unknown = try #require(Self.complaint(many(64, #"{"extends": "zzz"}"#)))
        #expect(unknown.contains("and 48 more.") && unknown.utf8.count < 600)
        let long = String(repeating: "x<", count: 5000)
        let hostile = try #require(Self.complaint(#"{"\#(long)": {}}"#))
        #expect(hostile.utf8.count < 600)
    }

    @Test("an unknown look is refused with the nearest name and the known ones")
    func unknown() throws {
        let looks = try Self.looks(#"{"marketplace": {"extends": "logos"}}"#)
        let error = #expect(throws: UsageError.self) {
            try looks.look(named: "marketplac", .commandLine("--look"))
        }
        #expect(
            error?.description == """
                --look: there is no look 'marketplac'.
                Did you mean 'marketplace'? Known looks are plain, logos, photos, icons, marketplace.
                """)
    }
}
