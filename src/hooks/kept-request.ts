/** What a run keeps of the request that started it. Pure. */
import { isRecord, type JsonObject, omitUndefined } from "../json.ts";
import type { RunRequest } from "../runs/run-labels.ts";
import { FORBIDDEN_KEY } from "../schema.ts";

/** Maximum length of all headers and query parameters, in characters. */
const MAX_CHARS = 16 * 1024;

/** Headers that contain credentials or signatures. */
const CREDENTIALS =
  /^(?:authorization|proxy-authorization|cookie|set-cookie)$|(?:^|[-_])(?:api-?key|secret|token|password|signature)s?(?:$|[-_])/;

interface ReceivedByHook {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly query: JsonObject;
  readonly params: Readonly<Record<string, string>>;
}

/** @param signatureHeaders The headers that contain the signature of the hook. */
export function keptRequest(
  { method, path, headers, query, params }: ReceivedByHook,
  signatureHeaders: readonly string[],
): RunRequest {
  let left = MAX_CHARS;
  const fits = (name: string, value: string) => {
    left -= name.length + value.length;
    return left >= 0 && name !== FORBIDDEN_KEY;
  };
  const isKept = (name: string) => !CREDENTIALS.test(name) && !signatureHeaders.includes(name);
  return {
    method,
    path,
    ...omitUndefined({ params: Object.keys(params).length === 0 ? undefined : { ...params } }),
    headers: Object.fromEntries([...headers].filter(([name, value]) => isKept(name) && fits(name, value))),
    query: Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) => {
        const texts = Array.isArray(value) ? value.map(String) : isRecord(value) ? [] : [String(value)];
        if (!fits(name, texts.join(""))) return [];
        return [[name, texts.length === 1 ? (texts[0] ?? "") : texts]];
      }),
    ),
  };
}
