/** An HTTP request to an address that users choose, through the guarded fetch. DESIGN 5.4 and 5.5. */
import { type JsonValue, parseJson } from "../../json.ts";
import type { StepOf } from "../../workflows/step.ts";
import type { Scope } from "../scope.ts";
import { StepError } from "../step-error.ts";
import { type Compiler, MINUTE, SECOND, type StepKind } from "../step-kind.ts";

const MEBI = 1024 * 1024;
/** Characters of a refusal that are told. */
const EXCERPT = 200;
/** RFC 9110: those that may go better the next time. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

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
        if (!response.ok) throw refused(response, text);
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

function refused({ url, status, headers }: Response, text: string): StepError {
  const { host, pathname } = new URL(url);
  const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
  return new StepError("http_status", `${host}${pathname} answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}`, {
    retryable: PASSING.has(status),
    ...retryAfter(headers.get("retry-after")),
  });
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(header: string | null): { retryAfter?: number } {
  if (header === null) return {};
  const delay = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - Date.now();
  return Number.isFinite(delay) ? { retryAfter: Math.max(0, delay) } : {};
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
