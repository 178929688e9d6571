/** An HTTP request to an address that users choose, through the guarded fetch. DESIGN 5.4 and 5.5. */
import { type JsonValue, parseJson } from "../../json.ts";
import type { StepOf } from "../../workflows/step.ts";
import type { Scope } from "../scope.ts";
import { StepError } from "../step-error.ts";
import { type Compiler, MINUTE, SECOND, type StepKind } from "../step-kind.ts";
import { refusedStatus } from "./http-refusal.ts";

const MEBI = 1024 * 1024;

export const httpRequest: StepKind<"http_request"> = {
  compile(step, compiler) {
    const url = compiler.text(step.url, ["url"]);
    const headers = compileHeaders(step.headers, compiler);
    const body = step.body === undefined ? () => undefined : compiler.text(step.body, ["body"]);
    const method = step.method ?? "GET";
    return {
      kind: "effect",
      tries: 3,
      timeout: MINUTE,
      async run(scope, { signal, idempotencyKey }, { fetch }) {
        const sent = body(scope);
        if (sent !== undefined && method === "GET") {
          throw new StepError("invalid", "A GET request has no body; use another method.");
        }
        const response = await fetch(url(scope), {
          method,
          headers: { "idempotency-key": idempotencyKey, ...headers(scope) },
          ...(sent === undefined ? {} : { body: sent }),
          signal,
          timeout: 30 * SECOND,
          max_bytes: 10 * MEBI,
        });
        const text = await response.text();
        if (!response.ok) {
          const { url, status } = response;
          throw refusedStatus({ url, status, retryAfter: response.headers.get("retry-after"), text });
        }
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: parsed(text, response.headers.get("content-type") ?? ""),
        };
      },
    };
  },
};

function parsed(text: string, type: string): JsonValue {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(type) || text === "") return text;
  try {
    return parseJson(text);
  } catch {
    return text; // it only says that it is JSON
  }
}

type Headers = (scope: Scope) => Record<string, string>;

/** A map, or a text with a header a line. */
function compileHeaders(headers: StepOf<"http_request">["headers"], compiler: Compiler): Headers {
  if (headers === undefined) return () => ({});
  if (typeof headers === "string") {
    const lines = compiler.text(headers, ["headers"]);
    return (scope) => Object.fromEntries(lines(scope).split(/\r?\n/).flatMap(headerLine));
  }
  const each = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), compiler.text(value, ["headers", name])] as const,
  );
  return (scope) => Object.fromEntries(each.map(([name, value]) => [name, value(scope)]));
}

function headerLine(line: string): [string, string][] {
  if (line.trim() === "") return [];
  const colon = line.indexOf(":");
  if (colon > 0) return [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
  throw new StepError("invalid", `${JSON.stringify(line)} is no header: write "name: value".`);
}
