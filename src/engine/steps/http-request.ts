/** The step type `http_request`: requests a user-supplied URL through the guarded fetch. */
import { fileSummary } from "../../files/file.ts";
import { isRecord, type JsonObject, type JsonValue, omitUndefined, parseJson } from "../../json.ts";
import { isHeaderName, isHeaderValue } from "../../services/http/header.ts";
import { readResponse } from "../../services/http/read-response.ts";
import { MINUTE_MS, SECOND_MS } from "../../time/units.ts";
import type { StepOf } from "../../workflows/step.ts";
import type { Path, Problem, StepCompiler, StepImplementation } from "../compile/step-implementation.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { hasTemplate } from "../expressions/template.ts";
import { writeOutput } from "../state/large-values.ts";
import { StepError } from "../step-error.ts";
import { checkStepUrl } from "./step-url.ts";

export const httpRequest: StepImplementation<"http_request"> = {
  compile(step, compiler) {
    const url = compiler.text(step.url, ["url"]);
    checkStepUrl(step.url, compiler);
    const headers = compileHeaders(step.headers, compiler);
    const body = step.body === undefined ? () => undefined : compiler.template(step.body, ["body"]);
    const method = step.method ?? "GET";
    compiler.whenDeployed(async () => [...constantProblems(step)]);
    return {
      kind: "effect",
      maxAttempts: 3,
      timeoutMs: MINUTE_MS,
      input: (scope) => omitUndefined({ method, url: url(scope), headers: headers(scope), body: body(scope) }),
      async run(scope, { app_id, signal, idempotencyKey }, { fetch, storeFile, fileBytes, now, pause }) {
        const value = body(scope);
        const sent = value === undefined || typeof value === "string" ? value : JSON.stringify(value);
        if (sent !== undefined && method === "GET") {
          throw new StepError("invalid", NO_BODY);
        }
        const response = await fetch(url(scope), {
          method,
          headers: { "idempotency-key": idempotencyKey, ...typeOf(value), ...headers(scope) },
          body: sent,
          signal,
          // The time limit of the attempt ends first, with its own error.
          timeoutMs: step.timeout === undefined ? 30 * SECOND_MS : step.timeout * SECOND_MS + MINUTE_MS,
          maxBytes: fileBytes,
        });
        const read = await readResponse(response, {
          ...{ format: "auto", now, pause },
          async store({ name, type, body }) {
            const file = { key: idempotencyKey, app_id, visibility: "PRIVATE", maxSize: fileBytes } as const;
            return fileSummary(await storeFile({ ...file, open: () => ({ name, type, body }) }));
          },
        });
        const output = { ...read };
        await writeOutput(output, pause);
        return output;
      },
    };
  },
};

const NO_BODY = "A GET request cannot have a body. Use another method.";

/** Problems with constant fields that would prevent every request. */
function* constantProblems({ method = "GET", body, headers }: StepOf<"http_request">): Generator<Problem, void> {
  if (method === "GET" && body !== undefined && !hasTemplate(body)) yield { path: ["body"], message: NO_BODY };
  if (typeof headers === "object") {
    for (const [name, value] of Object.entries(headers)) yield* headerProblems([[name, value]], ["headers", name]);
  } else if (headers !== undefined) {
    yield* headerProblems(hasTemplate(headers) ? Object.entries(parseHeaderMap(headers) ?? {}) : headers, ["headers"]);
  }
}

/** @param given Pairs of names and values, which may contain expressions; or a text without any. */
function* headerProblems(given: string | [string, string][], path: Path): Generator<Problem, void> {
  try {
    for (const [name, value] of typeof given === "string" ? headersIn(given) : given) {
      header(name, value);
      if (!hasTemplate(value) && !isHeaderValue(value.trim())) {
        const message = `The value of the header ${cut(name)} must have no line break, and only characters up to U+00FF.`;
        yield { path, message };
      }
    }
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    yield { path, message: error.message };
  }
}

/** A body that is a single expression may evaluate to an object or a list, which is sent as JSON. */
function typeOf(value: JsonValue | undefined): Record<string, string> {
  return typeof value === "object" && value !== null ? { "content-type": "application/json" } : {};
}

type Headers = (scope: ExpressionScope) => Record<string, string>;

/** Compiles headers: an object, a text with one header per line, or a text that becomes a JSON object. */
function compileHeaders(headers: StepOf<"http_request">["headers"], compiler: StepCompiler): Headers {
  if (headers === undefined) return () => ({});
  const map = typeof headers === "string" ? parseHeaderMap(headers) : headers;
  if (typeof headers === "string" && map === null) {
    const isJson = headers.trimStart().startsWith("{") && !headers.trimStart().startsWith("{{");
    const render = compiler.text(headers, ["headers"], isJson ? checkJsonPiece : checkLinePiece);
    return (scope) => Object.fromEntries(headersIn(render(scope)));
  }
  const each = Object.entries(map ?? {}).map(
    ([name, value]) =>
      [name, compiler.text(value, typeof headers === "string" ? ["headers"] : ["headers", name])] as const,
  );
  return (scope) => Object.fromEntries(each.map(([name, value]) => header(name, value(scope))));
}

/** Parses a text that is a JSON object of strings before expressions are evaluated, or returns null. */
function parseHeaderMap(text: string): Record<string, string> | null {
  const map = objectOf(text);
  const texts = Object.entries(map ?? {}).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return map !== null && texts.length === Object.keys(map).length ? Object.fromEntries(texts) : null;
}

/** Rejects line breaks in an expression's value: untrusted data must not add headers. */
function checkLinePiece(piece: string): void {
  if (!/[\r\n]/.test(piece)) return;
  throw new StepError("invalid", `${cut(piece)} contains a line break, which would add a header. ${OBJECT}`);
}

/** Also rejects values that would end a JSON string. A whole JSON value, such as from `json(x)`, is allowed. */
function checkJsonPiece(piece: string): void {
  checkLinePiece(piece);
  if (!/["\\]/.test(piece) || isJson(piece)) return;
  throw new StepError(
    "invalid",
    `${cut(piece)} contains a quote or a backslash, which would end the JSON string. ${OBJECT}`,
  );
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

function headersIn(text: string): [string, string][] {
  if (!text.trimStart().startsWith("{")) return text.split(/\r?\n/).flatMap(headerLine);
  const map = objectOf(text);
  if (map === null) {
    throw new StepError("invalid", `The headers ${cut(text)} start with "{" but are not a JSON object. ${EXPECTED}`);
  }
  return Object.entries(map).map(([name, value]) => {
    if (typeof value !== "object") return header(name, String(value));
    throw new StepError("invalid", `The header ${cut(name)} must be a string, not ${cut(JSON.stringify(value))}.`);
  });
}

function objectOf(text: string): JsonObject | null {
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function headerLine(line: string): [string, string][] {
  if (line.trim() === "") return [];
  const colon = line.indexOf(":");
  if (colon > 0) return [header(line.slice(0, colon).trim(), line.slice(colon + 1).trim())];
  throw new StepError("invalid", `${cut(line)} is not a header. ${EXPECTED}`);
}

function header(name: string, value: string): [string, string] {
  if (!isHeaderName(name)) throw new StepError("invalid", `${cut(name)} is not a valid header name. ${EXPECTED}`);
  return [name.toLowerCase(), value];
}

const EXPECTED = 'Write one "name: value" line for each header, or use an object of names and strings.';
const OBJECT = "Use an object of names and strings for the headers.";
const cut = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
