/** Turns errors into problem details (RFC 9457). */
import { ERRORS, StepwellError } from "../errors.ts";
import type { ResponseParts } from "./response.ts";

/** The response for an error. An unexpected error reveals nothing but a request id. */
export function problem(error: unknown, requestId: string): ResponseParts {
  const known = error instanceof StepwellError ? error : null;
  const code = known?.code ?? "internal";
  const { status, title } = ERRORS[code];
  const body = {
    type: `urn:stepwell:error:${code}`,
    title,
    status,
    detail: known?.publicDetail,
    code,
    errors: known === null || known.errors.length === 0 ? undefined : known.errors,
    errors_truncated: known?.errors_truncated || undefined,
    users: known === null || known.users.length === 0 ? undefined : known.users,
    request_id: requestId,
  };
  return {
    status,
    headers: { ...known?.headers, "content-type": "application/problem+json" },
    body: JSON.stringify(body),
  };
}
