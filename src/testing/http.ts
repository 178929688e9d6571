/** Stubbed responses to the requests of steps, without a network. */
import { collectBody } from "../encoding/collect-body.ts";
import { decodeAs } from "../encoding/decode-text.ts";
import { StepwellError } from "../errors.ts";
import { type JsonValue, omitUndefined } from "../json.ts";
import type { GuardedFetch, GuardedRequest } from "../ports/fetch.ts";

/** A request that a step sent. */
export interface SentRequest {
  /** HTTP method. */
  readonly method: string;
  /** URL of the request. */
  readonly url: string;
  /** Headers by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text of the body; empty for bytes that are not UTF-8. */
  readonly body: string;
  /** Bytes of the body. */
  readonly bytes: Uint8Array;
}

/** A stubbed response. Set at most one of `json`, `text` and `bytes`. */
export interface StubbedResponse {
  /** HTTP status. @default 200 */
  readonly status?: number;
  /** Headers by name. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body as JSON. */
  readonly json?: JsonValue;
  /** Body as text. */
  readonly text?: string;
  /** Body as bytes, such as an image. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

type Answers =
  | StubbedResponse
  | readonly StubbedResponse[]
  | ((request: SentRequest) => StubbedResponse | Promise<StubbedResponse>);

/**
 * Responses by `METHOD URL`, such as `POST https://api.example.com/orders`. A list of responses is used in order; its
 * last entry repeats.
 */
export type HttpStubs = Readonly<Record<string, Answers>>;

export interface StubbedHttp {
  readonly fetch: GuardedFetch;
  /** Requests that steps have sent so far, in order. */
  readonly requests: readonly SentRequest[];
}

export function stubHttp(stubs: HttpStubs): StubbedHttp {
  const requests: SentRequest[] = [];
  const given = new Map<string, number>();

  async function answerTo(name: string, request: SentRequest): Promise<StubbedResponse> {
    const answers = Object.hasOwn(stubs, name) ? stubs[name] : undefined;
    if (answers === undefined) {
      const known = Object.keys(stubs).join(", ") || "none";
      throw new StepwellError("fetch_failed", `${name} has no stubbed response in this test. Stubbed: ${known}.`);
    }
    if (typeof answers === "function") return answers(request);
    if (!isList(answers)) return answers;
    const count = given.get(name) ?? 0;
    given.set(name, count + 1);
    return answers[Math.min(count, answers.length - 1)] ?? {};
  }

  return {
    requests,
    async fetch(url, { method = "GET", headers = {}, body = "", signal } = {}) {
      signal?.throwIfAborted();
      const bytes = await bytesOf(body);
      const text = typeof body === "string" ? body : (decodeAs("utf-8", bytes) ?? "");
      const request = { method, url, headers, body: text, bytes };
      requests.push(request);
      const answer = await answerTo(`${method} ${url}`, request);
      const { status = 200, json } = answer;
      const content = json === undefined ? (answer.bytes ?? answer.text ?? "") : JSON.stringify(json);
      const type = omitUndefined({ "content-type": json === undefined ? undefined : "application/json" });
      const response = new Response(status === 204 || status === 304 ? null : content, {
        status,
        headers: { ...type, ...answer.headers },
      });
      Object.defineProperty(response, "url", { value: url }); // a constructed Response has none
      return response;
    },
  };
}

function isList(answers: Answers): answers is readonly StubbedResponse[] {
  return Array.isArray(answers);
}

async function bytesOf(body: NonNullable<GuardedRequest["body"]>): Promise<Uint8Array> {
  if (typeof body === "string") return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : collectBody(body.open(), body.size);
}
