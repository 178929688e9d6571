/** Which media types are text, by their names. */

/** Text formats registered outside `text/`. */
const TEXT_TYPES = new Set([
  "application/csv",
  "application/ecmascript",
  "application/graphql",
  "application/javascript",
  "application/json",
  "application/json5",
  "application/jsonl",
  "application/sql",
  "application/toml",
  "application/x-ndjson",
  "application/x-sh",
  "application/x-www-form-urlencoded",
  "application/x-yaml",
  "application/xml",
  "application/yaml",
]);

/** Families of binary types, except those in XML or JSON, such as image/svg+xml. */
const BINARY_FAMILY = /^(audio|font|image|model|video)\//;

/** A media type in lower case, without parameters. */
export function essenceOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** @param type In lower case, without parameters. */
export function isTextType(type: string): boolean {
  return type.startsWith("text/") || /\+(json|xml|yaml)$/.test(type) || TEXT_TYPES.has(type);
}

/** @param type In lower case, without parameters. */
export function isJsonType(type: string): boolean {
  return type === "application/json" || /^application\/[\w.-]+\+json$/.test(type);
}

/** Whether a type is never text, whatever the bytes are. @param type In lower case, without parameters. */
export function isMediaFamily(type: string): boolean {
  return BINARY_FAMILY.test(type) && !isTextType(type);
}
