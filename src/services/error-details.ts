/** What an error shows of the response that caused it. */
import { cut } from "../errors.ts";
import { approximateJsonSize, type JsonValue, jsonProblem, omitUndefined } from "../json.ts";
import { FORBIDDEN_KEY } from "../schema.ts";

/** Details of a failed response, which `steps.KEY.error` contains. */
export interface ActionErrorDetails {
  /** HTTP status. */
  readonly status?: number;
  /** Response headers by lowercase name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the response: JSON or text. */
  readonly body?: JsonValue;
}

/** Maximum length of the body, in characters. */
export const MAX_BODY_CHARS = 64 * 1024;
/** Maximum length of all headers, in characters. */
const MAX_HEADER_CHARS = 16 * 1024;

/** The same without what is too large, is not JSON or must not be kept. Programs may pass anything. */
export function boundedDetails({ status, headers, body }: ActionErrorDetails): ActionErrorDetails {
  return omitUndefined({
    status: Number.isSafeInteger(status) ? status : undefined,
    headers: headers && boundedHeaders(headers),
    body: body === undefined ? undefined : boundedBody(body),
  });
}

function boundedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  let left = MAX_HEADER_CHARS;
  const kept = Object.entries(headers).filter(([name, value]) => {
    if (name === "set-cookie" || name === FORBIDDEN_KEY || typeof value !== "string") return false;
    left -= name.length + value.length;
    return left >= 0;
  });
  return Object.fromEntries(kept);
}

function boundedBody(body: JsonValue): JsonValue {
  if (typeof body === "string") return cut(body, MAX_BODY_CHARS);
  if (jsonProblem(body) !== null) return null;
  return approximateJsonSize(body, MAX_BODY_CHARS) <= MAX_BODY_CHARS ? body : cut(JSON.stringify(body), MAX_BODY_CHARS);
}
