/** Parses Retry-After. */
import { SECOND_MS } from "../time/units.ts";

/**
 * Milliseconds to wait according to `Retry-After`: seconds, or a date (RFC 9110 §10.2.3). Undefined if it is missing or
 * invalid.
 * @param now Milliseconds since 1970.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const delay = /^\d+$/.test(header.trim()) ? Number(header) * SECOND_MS : Date.parse(header) - now;
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined;
}
