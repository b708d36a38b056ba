import Notation

extension Tool {
    /// Returns the JSON schema of the configuration file, derived from the declared options. Editors
    /// use it for completion.
    ///
    /// - Parameter identifier: The `$id` of the schema.
    package func configurationSchema(identifier: String) -> [UInt8] {
        var properties: [JSON.Member] = [
            JSON.Member("$schema", ["type": "string", "description": "The place of this schema."])
        ]
        for flags in settingVariants { properties.append(property(flags)) }
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            json.member("$id", identifier)
            json.member("title", "\(name).json")
            json.member("description", "The options of a working directory, by their long names.")
            json.member("type", "object")
            json.member("additionalProperties", false)
            json.member("properties", .object(properties))
        }
        json.endLine()
        return json.take()
    }

    /// Returns the schema of an option. The value of a list may also be an array.
    private func property(_ flags: [Flag]) -> JSON.Member {
        var forms: [JSON] = []
        for flag in flags {
            for form in self.forms(of: flag) where !forms.contains(form) { forms.append(form) }
        }
        var members = [JSON.Member("description", .string(flags[0].help))]
        if let text = flags[0].fallbackText {
            members[0].value = .string("\(flags[0].help) Default: \(text).")
        }
        if forms.count == 1, let form = forms[0].members {
            members += form
        } else {
            members.append(JSON.Member("anyOf", .array(forms)))
        }
        return JSON.Member(flags[0].name, .object(members))
    }

    /// Returns the options that the file can set, by name in the order of the help. Commands may
    /// declare an option of one name with different values.
    private var settingVariants: [[Flag]] {
        var groups: [[Flag]] = []
        for flag in commands.filter(\.readsSettings).flatMap(\.flags)
        where flag.isInConfiguration {
            guard let index = groups.firstIndex(where: { $0[0].name == flag.name }) else {
                groups.append([flag])
                continue
            }
            if !groups[index].contains(where: { $0.shape.wanted == flag.shape.wanted }) {
                groups[index].append(flag)
            }
        }
        return groups
    }

    private func forms(of flag: Flag) -> [JSON] {
        var forms = flag.shape.schema
        if flag.bareValue != nil { forms.append(["type": "boolean"]) }
        guard flag.isRepeatable || flag.shape.isList else { return forms }
        let items = forms.count == 1 ? forms[0] : ["anyOf": .array(forms)]
        forms.append(["type": "array", "items": items, "minItems": flag.isRepeatable ? 0 : 1])
        return forms
    }
}
