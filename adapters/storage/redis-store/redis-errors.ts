/** Tells errors that Redis answered from lost connections, and turns both into errors of the store. */
import { StepwellError, systemErrorCode } from "../../../src/errors.ts";

/** Replies begin with a code in capitals, which no error of a connection does. */
const REPLY = /^[A-Z][A-Z][A-Z0-9]* /;
/** Replies of a server that restarts, fails over, or still executes another script. */
const TRANSIENT = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|UNKILLABLE) /;

/** The error that Redis answered, or an empty text for any other error. */
export function replyText(error: unknown): string {
  return error instanceof Error && REPLY.test(error.message) ? error.message : "";
}

/** Whether Redis refused the command for good, so that it has not been executed. */
export function isRefusal(error: unknown): boolean {
  const reply = replyText(error);
  return reply !== "" && !TRANSIENT.test(reply);
}

/** Creates the errors of a connection, without the password and without the arguments that clients attach to theirs. */
export function createErrors(secret: string | null) {
  const withoutSecret = (text: string) =>
    secret === null || secret === ""
      ? text
      : text.replaceAll(secret, "***").replaceAll(encodeURIComponent(secret), "***");

  return {
    /** @param address Host and port, if messages of the connection may lack them. */
    failed(action: string, error: unknown, address = ""): StepwellError {
      if (error instanceof StepwellError) return error;
      const reason = withAddress(withoutSecret(reasonOf(error)), address);
      return new StepwellError("unavailable", `Redis failed (${action}): ${reason}`);
    },

    late(action: string, timeoutMs: number, error: unknown, address = ""): StepwellError {
      const reason = error === null ? "" : ` Last error: ${withAddress(withoutSecret(reasonOf(error)), address)}`;
      const message = `Redis did not respond within ${timeoutMs / 1_000} seconds (${action}).${reason}`;
      return new StepwellError("unavailable", message);
    },
  };
}

export type RedisErrors = ReturnType<typeof createErrors>;

const withAddress = (reason: string, address: string) =>
  reason.includes(address) ? reason : `${reason} (at ${address})`;

/** Errors of lost connections often have no message, but a code or errors within. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message.startsWith("OOM ")) return `the memory of Redis is full (maxmemory). ${error.message}`;
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : [];
  return error.message || (first instanceof Error ? first.message : "") || systemErrorCode(error) || error.name;
}
