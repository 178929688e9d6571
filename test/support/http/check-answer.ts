/** Holds the requests and responses of tests against openapi.json. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Handler } from "../../../src/http/handler.ts";
import { isRecord, type JsonObject } from "../../../src/json.ts";

const ROOT = join(import.meta.dirname, "../../..");

interface Operation {
  readonly method: string;
  /** Matches the path below the mount path. */
  readonly pattern: RegExp;
  /** JSON Pointer to the operation. */
  readonly pointer: string;
  readonly responses: JsonObject;
}

const variables = ({ pattern }: Operation) => pattern.source.split(/\[\^\/\]\+|\.\+/).length;
const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function load() {
  const document: JsonObject = JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8"));
  const paths = Object.entries(document["paths"] as Readonly<Record<string, JsonObject>>);
  const operations: Operation[] = paths.flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "parameters")
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replace(/\{(?:hook_)?path\}/, ".+").replace(/\{\w+\}/g, "[^/]+")}$`),
        pointer: `/paths/${escaped(path)}/${method}`,
        responses: Object(operation)["responses"],
      })),
  );
  // Literal segments first: `…/files/uploads` is not a file.
  operations.sort((one, other) => variables(one) - variables(other));
  // Most schemas check a few values: compiling them well takes longer than it saves.
  const compiling = { inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv2020({
    ...{ strict: false, validateFormats: false, validateSchema: false, allErrors: true },
    ...compiling,
  });
  ajv.addSchema({ $id: "openapi", ...document });
  return { operations, ajv };
}

let loaded: ReturnType<typeof load> | undefined;

/**
 * Like `handler`, but fails for a response that openapi.json does not describe, and for one that accepts a body which
 * openapi.json does not allow.
 */
export function checkedHandler(handler: Handler, baseUrl: string): Handler {
  return async (request, host) => {
    const isJson = request.headers.get("content-type") === "application/json" && request.body !== null;
    const sent = isJson && !request.bodyUsed ? request.clone() : null;
    const response = await handler(request, host);
    const { method, url } = request;
    const path = new URL(url).pathname.slice(new URL(baseUrl).pathname.length);
    loaded ??= load();
    const operation = loaded.operations.find((one) => one.method === method && one.pattern.test(path));
    if (operation === undefined) return response;
    const wrong = (reason: string) => new Error(`openapi.json: ${method} ${path} ${response.status}: ${reason}`);
    if (sent !== null && response.status < 300 && !isCheckedOneByOne(path))
      checkBody(operation, await sent.text(), wrong);
    await checkAnswer(operation, response, wrong);
    return response;
  };
}

/** Invalid operations on records fail one by one. The response says so, and has the status 200. */
const isCheckedOneByOne = (path: string) => path.endsWith("/records/bulk");

type Wrong = (reason: string) => Error;

function checkBody({ pointer }: Operation, text: string, wrong: Wrong): void {
  const validate = loaded?.ajv.getSchema(
    `openapi#${encodeURI(`${pointer}/requestBody/content/application~1json/schema`)}`,
  );
  if (validate === undefined || text === "") return;
  const problem = problemOf(validate, JSON.parse(text));
  if (problem !== null) throw wrong(`the body was accepted, although ${problem}`);
}

async function checkAnswer(operation: Operation, response: Response, wrong: Wrong): Promise<void> {
  loaded ??= load();
  const { ajv } = loaded;
  const { status } = response;
  const isDeclared = String(status) in operation.responses;
  if (!isDeclared && status < 400) throw wrong("the status is not declared");
  const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
  const isProblem = type === "application/problem+json";
  // Pages for browsers say in HTML what problems say in JSON.
  if (!isDeclared && !isProblem) {
    if (type !== "text/html") throw wrong(`a problem has the type ${type}`);
    return;
  }
  const declared = isDeclared ? Object(operation.responses[String(status)]) : {};
  if (isDeclared && !isProblem) {
    const missing = Object.keys(declared.headers ?? {}).filter(
      (name) => isExpected(name) && !response.headers.has(name),
    );
    if (missing.length > 0 && status < 300) throw wrong(`without ${missing.join(", ")}`);
  }
  const content: JsonObject = declared.content ?? {};
  const known = isProblem || response.body === null || type in content || "*/*" in content;
  if (!known) throw wrong(`the type ${type} is not declared`);
  const isCompressed = response.headers.has("content-encoding");
  if (!type.endsWith("json") || response.body === null || isCompressed) return;

  const pointer = isProblem
    ? "/components/schemas/Problem"
    : `${operation.pointer}/responses/${status}/content/${escaped(type in content ? type : "*/*")}/schema`;
  const validate = ajv.getSchema(`openapi#${encodeURI(pointer)}`);
  if (validate === undefined) throw wrong(`there is no ${pointer}`);
  const problem = problemOf(validate, await response.clone().json());
  if (problem !== null) throw wrong(problem);
}

/** Headers that every response of an operation has. */
const isExpected = (name: string) => name === "ETag";

function problemOf(validate: ValidateFunction, value: unknown): string | null {
  if (validate(value) === true) return null;
  const [first] = validate.errors ?? [];
  const found = isRecord(first?.params) ? JSON.stringify(first.params) : "";
  return `${first?.instancePath} ${first?.message} ${found} (${first?.schemaPath})`;
}
