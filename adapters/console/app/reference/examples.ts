/** How an operation is called with curl and with fetch: texts that work when they are pasted. Pure. */
import {
  addressOf,
  bodyTypeOf,
  type Given,
  isGiven,
  isStream,
  JSON_TYPE,
  PLACEHOLDER,
  pathNames,
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
    ...(takesKey(operation) ? ['-H "Authorization: Bearer $STEPWELL_KEY"'] : []),
    ...(given.body === null
      ? []
      : [`-H "Content-Type: ${bodyTypeOf(operation)}"`, `-d '${given.body.replaceAll("'", "'\\''")}'`]),
  ];
  return [...missing.map((name) => `${shellName(name)}="${PLACEHOLDER}"`), command.join(" \\\n  ")].join("\n");
}

export function fetchExample({ operation, given, server }: Call): string {
  const { method } = operation;
  const address = addressOf(operation, given, (name) => `\${encodeURIComponent(${variableOf(operation, name)})}`);
  const hasVariables = pathNames(operation).some((name) => !isGiven(given, name));
  const url = hasVariables ? `\`${server}${address}\`` : `"${server}${address}"`;
  const headers = [
    ...(takesKey(operation) ? [`    authorization: \`Bearer \${key}\`,`] : []),
    ...(given.body === null ? [] : [`    "content-type": "${bodyTypeOf(operation)}",`]),
  ];
  const init = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers, "  },"]),
    ...(given.body === null ? [] : [`  body: ${bodyIn(operation, given.body)},`]),
  ];
  const options = init.length === 0 ? "" : `, {\n${init.join("\n")}\n}`;
  const lines = [
    `const response = await fetch(${url}${options});`,
    ...(isStream(operation)
      ? ["for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);"]
      : ["console.log(response.status, await response.text());"]),
  ];
  return [...declarations(operation, given), ...lines].join("\n");
}

/** Declares the key and the parameters without a value. */
export function declarations(operation: Operation, given: Given): readonly string[] {
  const missing = pathNames(operation).filter((name) => !isGiven(given, name));
  const lines = [
    ...(takesKey(operation) ? ['const key = process.env.STEPWELL_KEY ?? "";'] : []),
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
