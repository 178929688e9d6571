/** What an error of PostgreSQL or of its connection means for a statement, and how it is reported. */
import { cut, isStepwellError, StepwellError, systemErrorCode } from "../../../src/errors.ts";

/** The SQLSTATEs that the functions of this store raise. Classes from `I` to `Z` are free for applications. */
export const FENCED = "SWF01";
export const OVERTAKEN = "SWF02";
export const WRONG_ISOLATION = "SWF03";
export const AGAIN = "SWF04";

/** A statement took longer than the server allows. */
export const CANCELED = "57014";

/** Five characters, whose first two are a class. Codes of Node.js, such as ECONNRESET and EPIPE, are others. */
const SQLSTATE = /^[0-9A-Z]{5}$/;
const SYSTEM_CODE = /^E[A-Z]/;
/** The transaction was read-only, as on a standby or on a connection from the time before it was promoted. */
export const READ_ONLY = "25006";
/** Also if only a role has no connection left. */
export const TOO_MANY_CONNECTIONS = "53300";
/** Lost connections, and servers that stop or start, that have no connection left, or that only read. */
const CONNECTION_STATES = /^(08|57P|53300|25006)/;
/** Deadlocks and serialization failures, which PostgreSQL may report where several processes write, and our own. */
const AGAIN_STATES: readonly (string | undefined)[] = ["40P01", "40001", AGAIN];
const MAX_REASON_CHARS = 500;

/** The SQLSTATE of an error that the server has sent (PostgreSQL, appendix A). */
export function sqlState(error: unknown): string | undefined {
  const code = systemErrorCode(error);
  return code !== undefined && SQLSTATE.test(code) && !SYSTEM_CODE.test(code) ? code : undefined;
}

/**
 * Whether the connection failed, and not the statement: the statement may have been executed or not, and another
 * connection may work.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (isStepwellError(error) || error instanceof TypeError) return false;
  const state = sqlState(error);
  return state === undefined || CONNECTION_STATES.test(state);
}

/** Whether the statement was undone because of what another process did at the same time, so that it may be repeated. */
export const wasUndone = (error: unknown): boolean => AGAIN_STATES.includes(sqlState(error));

/** The passwords in a URL, as they are written and decoded. */
function passwordsOf(url: string): readonly string[] {
  const found = [/^[^:]+:\/\/[^/:@?#]*:([^/?#]*)@/.exec(url)?.[1], /[?&]password=([^&#]*)/.exec(url)?.[1]];
  return found.flatMap((text) => (text === undefined || text === "" ? [] : [text, decoded(text)]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Turns errors into `unavailable`, without the passwords of the URL. */
export function createReporter(url: string | undefined): (error: unknown) => StepwellError {
  const passwords = url === undefined ? [] : passwordsOf(url);
  const redact = (text: string) => passwords.reduce((seen, password) => seen.replaceAll(password, "***"), text);
  return (error) => {
    if (error instanceof StepwellError) return error;
    const reason = redact(error instanceof Error ? reasonOf(error) : String(error));
    // The error itself is no cause: some of its properties contain the URL.
    return new StepwellError("unavailable", `PostgreSQL failed: ${cut(reason, MAX_REASON_CHARS)}`);
  };
}

/** Node.js reports several failed addresses of a host as one error without a message. */
function reasonOf(error: Error): string {
  const first = error instanceof AggregateError ? error.errors.find((one) => one instanceof Error) : undefined;
  const { message } = error.message === "" && first instanceof Error ? first : error;
  const state = sqlState(error);
  return state === undefined ? message : `${message} (SQLSTATE ${state})`;
}
