/** When the other side wants to be asked again. */
import { SECOND_MS } from "../time/units.ts";

/**
 * Milliseconds to wait by the header `Retry-After`: seconds, or a date (RFC 9110 §10.2.3). Undefined where it is missing
 * or says neither.
 * @param now Milliseconds since 1970, by the clock.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const delay = /^\d+$/.test(header.trim()) ? Number(header) * SECOND_MS : Date.parse(header) - now;
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined;
}
