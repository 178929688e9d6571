/** The time that a client is prepared to wait for a response (RFC 7240, `Prefer: wait`). */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i;

/** Seconds of `Prefer: wait=N`; null without one. Ignores an invalid preference. */
export function preferredWait(request: Request): number | null {
  const [, seconds] = WAIT.exec(request.headers.get("prefer") ?? "") ?? [];
  return seconds === undefined ? null : Number(seconds);
}
