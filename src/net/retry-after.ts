/** When the other side wants to be asked again. */
import { SECOND_MS } from "../time/units.ts";

/** The header `Retry-After`, as a detail of a StepError: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfter(header: string | null): { retryAfter?: number } {
  if (header === null) return {};
  const delay = /^\d+$/.test(header.trim()) ? Number(header) * SECOND_MS : Date.parse(header) - Date.now();
  return Number.isFinite(delay) ? { retryAfter: Math.max(0, delay) } : {};
}
