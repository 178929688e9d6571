/** Turns responses into the errors with which service functions reject. */
import {
  codeOfStatus,
  type ErrorCode,
  type FieldError,
  isErrorCode,
  type ResourceUser,
  StepwellError,
} from "../errors.ts";
import { readText } from "./response-body.ts";

/** Problem details of Stepwell are shorter. */
const MAX_PROBLEM_BYTES = 128 * 1024;
/** Characters of another response that are searched for text, and those that a message contains. */
const MAX_READ_CHARS = 4_000;
const MAX_SHOWN_CHARS = 300;
const MAX_ENTRIES = 100;

/** The error of a response that is not successful: by its problem details (RFC 9457), else by its status. */
export async function errorOf(response: Response): Promise<StepwellError> {
  const { status, headers } = response;
  // Browsers hide redirects that are not followed: the status is 0.
  if (status < 400) {
    const target = headers.get("location") ?? "another URL";
    return new StepwellError("unavailable", `The server redirects to ${target}. Set the option url to it.`);
  }
  const { text } = await readText(response, MAX_PROBLEM_BYTES);
  const { code, detail, errors, errors_truncated, users, request_id } = fieldsOf(text);
  const about = typeof request_id === "string" ? `request id ${request_id}` : plainText(text);
  const other = `The server responded with the status ${status}${about === "" ? ", and did not say why." : `: ${about}`}`;
  const message = typeof detail === "string" ? detail : other;
  return new StepwellError(isErrorCode(code) ? code : codeOf(status), message, {
    errors: listOf(errors).filter((entry): entry is FieldError => hasTexts(entry, "pointer", "message")),
    errors_truncated: errors_truncated === true,
    users: listOf(users).filter((entry): entry is ResourceUser => hasTexts(entry, "type", "id")),
    headers: Object.fromEntries(headers),
  });
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** At most as many as Stepwell sends. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : []);

const hasTexts = (entry: unknown, ...names: readonly string[]) =>
  names.every((name) => typeof Object(entry)[name] === "string");

/**
 * The code for a status, of a proxy or of a later version of Stepwell. An unknown status means the same as the first of
 * its class (RFC 9110 §15), except that a gateway without a response is unavailable.
 */
function codeOf(status: number): ErrorCode {
  if (status === 502 || status === 504) return "unavailable";
  return codeOfStatus(status) ?? (status < 500 ? "malformed" : "internal");
}

/** The text of a page without its head and tags. */
function plainText(text: string): string {
  const body = text.replace(/^.*<body/is, "<").slice(0, MAX_READ_CHARS);
  return body
    .replace(/(<[^<>]*>|\s)+/g, " ")
    .trim()
    .slice(0, MAX_SHOWN_CHARS);
}
