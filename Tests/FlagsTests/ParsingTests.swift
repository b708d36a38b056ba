import Flags
import Notation
import Testing

@Suite struct ParsingTests {
    @Test("a value follows its flag, an equals sign or the letter")
    func spellings() throws {
        for words in [
            ["--output", "x"], ["--output=x"], ["-o", "x"], ["-ox"], ["-qox"], ["-qo", "x"],
        ] {
            #expect(try Sample.parse(["paint"] + words)[Sample.output] == "x")
        }
        #expect(try Sample.parse(["paint", "--output=a=b"])[Sample.output] == "a=b")
        #expect(try Sample.parse(["paint", "-qo", "x"])[Sample.quiet])
    }

    @Test("two dashes end the options, and one dash is an operand")
    func operands() throws {
        let parsed = try Sample.parse(["paint", "a", "-", "-q", "--", "--quiet"])
        #expect(parsed.operands == ["a", "-", "--quiet"])
        #expect(parsed[Sample.quiet])
    }

    @Test("the last of several values is used, and all of a repeatable option")
    func repetition() throws {
        let parsed = try Sample.parse([
            "paint", "-j1", "--jobs", "2", "--note", "a", "--note=b", "--linear",
        ])
        #expect(parsed[Sample.jobs] == 2)
        #expect(parsed[Sample.note] == ["a", "b"])
        #expect(parsed[Sample.linear] && parsed.isSet(Sample.linear))
        #expect(parsed.repeated == ["jobs"])
        #expect(try Sample.parse(["paint", "-j1", "-j1"]).repeated.isEmpty)
    }

    @Test("a value may begin with a dash unless it is a known flag")
    func dashedValues() throws {
        #expect(try Sample.parse(["paint", "--note", "-x"])[Sample.note] == ["-x"])
        #expect(try Sample.parse(["paint", "--note", "--other"])[Sample.note] == ["--other"])
        #expect(try Sample.parse(["paint", "--note=--quiet"])[Sample.note] == ["--quiet"])
        for words in [["--note", "--quiet"], ["-o", "-q"], ["-o", "--"]] {
            #expect(
                Sample.complaint(["paint"] + words)?.contains("\(words[0]) needs a value") == true)
        }
    }
}

@Suite struct PrecedenceTests {
    @Test("flags override the environment, which overrides the file, which overrides the default")
    func order() throws {
        let json = "{\"jobs\": 3, \"coat\": \"gloss\"}"
        let environment = ["ARTIST_JOBS": "2", "ARTIST_UNKNOWN": "x", "ARTIST_COAT": ""]
        let parsed = try Sample.parse(["paint", "-j", "1"], environment: environment, json: json)
        #expect(
            parsed[Sample.jobs] == 1 && parsed.origin(of: Sample.jobs.flag) == .commandLine("-j"))
        let second = try Sample.parse(["paint"], environment: environment, json: json)
        #expect(
            second[Sample.jobs] == 2
                && second.origin(of: Sample.jobs.flag) == .environment("ARTIST_JOBS"))
        #expect(second[Sample.coat] == "gloss" && second.isSet(Sample.coat))
        let third = try Sample.parse(["paint"], json: json)
        #expect(third[Sample.jobs] == 3)
        #expect(
            third.origin(of: Sample.jobs.flag)
                == .configuration(file: "artist.json", line: 1, key: "jobs"))
        let last = try Sample.parse(["paint"])
        #expect(last[Sample.jobs] == nil && last[Sample.coat] == "matt")
        #expect(
            !last.isSet(Sample.coat) && !last.isSet(Sample.jobs)
                && last.origin(of: Sample.jobs.flag) == nil)
        #expect(last.origin(of: Sample.coat.flag)?.description == "default of --coat")
        #expect(last.error(Sample.jobs, "no").message == "--jobs: no")
        #expect(parsed.error(Sample.jobs, "no", remedy: "r") == UsageError("-j: no", remedy: "r"))
    }

    @Test("an invalid value names its origin")
    func places() {
        #expect(
            Sample.complaint(["paint"], environment: ["ARTIST_JOBS": "0"])
                == "environment variable ARTIST_JOBS: \"0\" is not a whole number from 1 to 64. Type 'artist help paint' for the options."
        )
        #expect(
            Sample.complaint(["paint"], json: "{\n\"jobs\":\n\"x\"}")?.hasPrefix(
                "artist.json line 3, \"jobs\": \"x\" is not") == true)
        #expect(
            Sample.complaint(["paint", "--linear"], environment: ["ARTIST_LINEAR": "maybe"]) == nil)
        #expect(
            Sample.complaint(["paint"], environment: ["ARTIST_LINEAR": "maybe"])?.contains(
                "true or false") == true)
    }

    @Test("some options cannot be set by the environment or the file")
    func kept() throws {
        let parsed = try Sample.parse(["paint"], environment: ["ARTIST_DRY_RUN": "1"])
        #expect(!parsed[Sample.dryRun])
        #expect(
            Sample.complaint(["paint"], json: "{\"dry-run\": true}")
                == "artist.json line 1, \"dry-run\" cannot be set in the configuration file. Remove the key, and type --dry-run instead."
        )
        #expect(Sample.complaint(["shop", "buy", "brush"], json: "{\"dry-run\": 1}") == nil)
    }

    @Test("the configuration file accepts texts, numbers, switches and lists of the right kind")
    func values() throws {
        let json =
            #"{"room": ["attic", "hall"], "zoom": [1, 1.5], "note": ["a,b", "c"], "linear": true, "quiet": false, "memory": 2048, "json": true}"#
        let parsed = try Sample.parse(["paint"], json: json)
        #expect(parsed[Sample.room] == ["attic", "hall"] && parsed[Sample.zoom] == [1, 1.5])
        #expect(
            parsed[Sample.note] == ["a,b", "c"] && parsed[Sample.linear]
                && !parsed[Sample.quiet])
        #expect(parsed[Sample.memory] == 2048)
    }

    @Test(
        "a value of the wrong kind in the configuration file is refused",
        arguments: [
            "{\"linear\": \"yes\"}", "{\"coat\": true}", "{\"coat\": null}",
            "{\"coat\": [\"matt\"]}", "{\"coat\": {}}",
            "{\"room\": []}", "{\"room\": [\"hall,attic\"]}", "{\"linear\": 1}", "{\"colour\": 1}",
            "[]", "{", "{\"room\": [null]}",
        ])
    func refused(json: String) {
        #expect(Sample.complaint(["paint"], json: json) != nil)
    }

    @Test("a misspelled key is refused with the correct key")
    func slip() {
        #expect(
            Sample.complaint(["paint"], json: "{\"cot\": \"matt\"}")
                == "artist.json line 1, \"cot\": Unknown option 'cot'. Did you mean 'coat'?")
    }
}
