/** How an operation is called with curl and with fetch: texts that work when they are pasted. Pure. */
import {
  addressOf,
  bodyTypeOf,
  type Given,
  headersOf,
  isGiven,
  isStream,
  JSON_TYPE,
  keyVariable,
  PLACEHOLDER,
  pathNames,
  sentBody,
  takesKey,
} from "./call.ts";
import type { Operation } from "./document.ts";

export interface Call {
  readonly operation: Operation;
  readonly given: Given;
  /** URL at which Stepwell is mounted. */
  readonly server: string;
}

/** The parameters without a value become variables of the shell. */
export function curlExample({ operation, given, server }: Call): string {
  const { method } = operation;
  const missing = pathNames(operation).filter((name) => !isGiven(given, name));
  const shellName = (name: string) => ownName(operation, name).toUpperCase();
  const address = addressOf(operation, given, (name) => `\${${shellName(name)}}`);
  const command = [
    // Within double quotes, only the exclamation mark of what a URL contains means something to a shell.
    `curl${isStream(operation) ? " -N" : ""}${method === "GET" ? "" : ` -X ${method}`} "${server}${address.replaceAll("!", "%21")}"`,
    ...(takesKey(operation) ? [`-H "Authorization: Bearer $${keyVariable(operation)}"`] : []),
    ...Object.entries(headersOf(operation)).map(([name, value]) => `-H "${name}: ${value}"`),
    ...curlBody(operation, sentBody(given)),
  ];
  return [...missing.map((name) => `${shellName(name)}="${PLACEHOLDER}"`), command.join(" \\\n  ")].join("\n");
}

function curlBody(operation: Operation, body: string | null): readonly string[] {
  if (body === null) return [];
  if (operation.fileField !== null)
    return [`-F ${quoted(`${operation.fileField}=@"${body.replace(/["\\]/g, "\\$&")}"`)}`];
  // `-d` would take a text that begins with "@" for the name of a file.
  const option = bodyTypeOf(operation) === JSON_TYPE ? "-d" : "--data-raw";
  return [`-H "Content-Type: ${bodyTypeOf(operation)}"`, `${option} ${quoted(body)}`];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function fetchExample({ operation, given, server }: Call): string {
  const { method } = operation;
  const address = addressOf(operation, given, (name) => `\${encodeURIComponent(${variableOf(operation, name)})}`);
  const hasVariables = pathNames(operation).some((name) => !isGiven(given, name));
  const url = hasVariables ? `\`${server}${address}\`` : `"${server}${address}"`;
  const body = sentBody(given);
  const form = body === null || operation.fileField === null ? null : formOf(operation.fileField, body);
  const headers = [
    ...(takesKey(operation) ? [`    authorization: \`Bearer \${key}\`,`] : []),
    ...Object.entries(headersOf(operation)).map(([name, value]) => `    ${headerName(name)}: "${value}",`),
    ...(body === null || form !== null ? [] : [`    "content-type": "${bodyTypeOf(operation)}",`]),
  ];
  const init = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers, "  },"]),
    ...(body === null ? [] : [`  body: ${form === null ? bodyIn(operation, body) : "form"},`]),
  ];
  const options = init.length === 0 ? "" : `, {\n${init.join("\n")}\n}`;
  const lines = [
    ...(form?.lines ?? []),
    `const response = await fetch(${url}${options});`,
    ...(isStream(operation)
      ? ["for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) console.log(text);"]
      : ["console.log(response.status, await response.text());"]),
  ];
  return [...(form?.imports ?? []), ...declarations(operation, given), ...lines].join("\n");
}

/** A program that reads a file into a form. */
function formOf(field: string, path: string) {
  const [file, name] = [path, path.split(/[\\/]/).at(-1)].map((text) => JSON.stringify(text));
  return {
    imports: ['import { readFile } from "node:fs/promises";', ""],
    lines: ["const form = new FormData();", `form.set("${field}", new File([await readFile(${file})], ${name}));`],
  };
}

const headerName = (name: string) => (name.includes("-") ? `"${name.toLowerCase()}"` : name.toLowerCase());

/** Declares the key and the parameters without a value. */
export function declarations(operation: Operation, given: Given): readonly string[] {
  const missing = pathNames(operation).filter((name) => !isGiven(given, name));
  const lines = [
    ...(takesKey(operation) ? [`const key = process.env.${keyVariable(operation)} ?? "";`] : []),
    ...missing.map((name) => `const ${variableOf(operation, name)} = "${PLACEHOLDER}";`),
  ];
  return lines.length === 0 ? [] : [...lines, ""];
}

/** The name of a path parameter in a program. */
export const variableOf = (operation: Operation, name: string): string =>
  ownName(operation, name).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Names that mean something else: `key` is that of the API, and a shell finds its commands by `PATH`. */
const TAKEN_NAMES: ReadonlySet<string> = new Set(["key", "path"]);

function ownName({ operationId }: Operation, name: string): string {
  const [group = ""] = operationId.split(".");
  return TAKEN_NAMES.has(name) ? `${group.replace(/s$/, "")}_${name}` : name;
}

/** The body of a request in a program. */
const bodyIn = (operation: Operation, body: string): string =>
  bodyTypeOf(operation) === JSON_TYPE ? `JSON.stringify(${indented(body)})` : JSON.stringify(body);

const indented = (text: string) => text.replaceAll("\n", "\n  ");
