"""The few words of JSON Schema that docs/schema uses, so that the tests need nothing beside Python."""

TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float), "integer": int,
}
KNOWN = {
    "$schema", "$id", "$defs", "$ref", "title", "description", "type", "required", "additionalProperties", "properties",
    "items", "enum", "const", "oneOf", "minimum", "maximum", "minItems",
}


def has_type(value, name):
    if isinstance(value, bool) and name in ("number", "integer"):
        return False
    return isinstance(value, TYPES[name])


def errors(value, schema, root=None, path="$"):
    """All the ways in which value does not fit schema."""
    root = root or schema
    unknown = set(schema) - KNOWN
    if unknown:
        return [f"{path}: this checker does not know {sorted(unknown)}"]
    if "$ref" in schema:
        return errors(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, path)
    found = []
    types = schema.get("type")
    if types is not None:
        names = [types] if isinstance(types, str) else types
        if not any(has_type(value, name) for name in names):
            return [f"{path}: {value!r} is not {types}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{path}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: {value!r} is not in {schema['enum']}")
    if "oneOf" in schema:
        fits = [not errors(value, choice, root, path) for choice in schema["oneOf"]]
        if sum(fits) != 1:
            found.append(f"{path}: {value!r} fits {sum(fits)} of the choices")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            found.append(f"{path}: {value!r} is out of range")
    if isinstance(value, dict):
        found += object_errors(value, schema, root, path)
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            found.append(f"{path}: too few items")
        for index, item in enumerate(value):
            found += errors(item, schema.get("items", {}), root, f"{path}[{index}]")
    return found


def object_errors(value, schema, root, path):
    found = [f"{path}: {key} is missing" for key in schema.get("required", []) if key not in value]
    for key, member in value.items():
        rest = schema.get("additionalProperties", {})
        if key in schema.get("properties", {}):
            found += errors(member, schema["properties"][key], root, f"{path}.{key}")
        elif rest is False:
            found.append(f"{path}: {key} is not allowed")
        elif isinstance(rest, dict):
            found += errors(member, rest, root, f"{path}.{key}")
    return found
