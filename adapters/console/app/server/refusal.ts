/** Which responses say no. */
import { isStepwellError } from "../../../../src/client/index.ts";

/**
 * Proxies send 408, without knowing whether the server has stored the request. What comes too early (425) or too often (429)
 * may be sent again.
 */
const PASSING = new Set([408, 425, 429]);

/** Whether the server has refused the request: nothing is stored, and sending it again changes nothing. */
export const isRefusal = (error: unknown): boolean =>
  // Without a response, an error has a cause.
  isStepwellError(error) && error.cause === undefined && error.status < 500 && !PASSING.has(error.status);
