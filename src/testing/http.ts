/** Answers to the addresses that steps call, without any network. */
import { decodeAs } from "../encoding/decode-text.ts";
import { StepwellError } from "../errors.ts";
import { type JsonValue, omitUndefined } from "../json.ts";
import type { GuardedFetch } from "../ports/fetch.ts";

/** What a step sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As text; empty for bytes that are not UTF-8. */
  readonly body: string;
  readonly bytes: Uint8Array;
}

export interface StubbedAnswer {
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: JsonValue;
  readonly text?: string;
  /** Sent as they are, such as an image. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

type Answers =
  | StubbedAnswer
  | readonly StubbedAnswer[]
  | ((request: SentRequest) => StubbedAnswer | Promise<StubbedAnswer>);

/** By `METHOD address`, such as `POST https://api.example.com/orders`. Of a list each is given once, the last for ever. */
export type HttpStubs = Readonly<Record<string, Answers>>;

export interface StubbedHttp {
  readonly fetch: GuardedFetch;
  /** What was sent, in order. */
  readonly requests: readonly SentRequest[];
}

export function stubHttp(stubs: HttpStubs): StubbedHttp {
  const requests: SentRequest[] = [];
  const given = new Map<string, number>();

  async function answerTo(name: string, request: SentRequest): Promise<StubbedAnswer> {
    const answers = Object.hasOwn(stubs, name) ? stubs[name] : undefined;
    if (answers === undefined) {
      const known = Object.keys(stubs).join(", ") || "none";
      throw new StepwellError("fetch_failed", `${name} has no mocked response in this test. Mocked: ${known}.`);
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
      const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
      const text = typeof body === "string" ? body : (decodeAs("utf-8", body) ?? "");
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
      Object.defineProperty(response, "url", { value: url }); // a Response that was made has none
      return response;
    },
  };
}

function isList(answers: Answers): answers is readonly StubbedAnswer[] {
  return Array.isArray(answers);
}
