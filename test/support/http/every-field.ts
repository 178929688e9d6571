/** An input with a field of every type, single and as an array. */
import type { InputDefinition } from "../../../src/workflows/input/input-field.ts";

const optional = { optional: true } as const;

export const FIELDS = {
  text: { type: "string", ...optional },
  texts: { type: "string", array: true, ...optional },
  url: { type: "string", validation: "url", ...optional },
  number: { type: "number", ...optional },
  numbers: { type: "number", array: true, ...optional },
  truth: { type: "boolean", ...optional },
  date: { type: "date", ...optional },
  dates: { type: "date", array: true, ...optional },
  datetime: { type: "datetime", ...optional },
  time: { type: "time", ...optional },
  choice: { type: "select", options: [{ value: "a", label: "A" }], ...optional },
  choices: { type: "select", options: [{ value: "a", label: "A" }], array: true, ...optional },
  content: { type: "content" },
  file: { type: "file", ...optional },
  files: { type: "file", array: true, ...optional },
  connection: { type: "connection", ...optional },
  connections: { type: "connection", array: true, ...optional },
  object: { type: "object", fields: { inner: { type: "number" } }, ...optional },
  objects: { type: "object", fields: { inner: { type: "number" }, other: { type: "date" } }, array: true, ...optional },
  open: { type: "object", fields: {}, additional_fields: true, ...optional },
} as const satisfies InputDefinition;
