/** Transient HTTP statuses: the same request may succeed later (RFC 9110 §15, RFC 6585, RFC 8470). */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

export function isTransientStatus(status: number): boolean {
  return TRANSIENT_STATUSES.has(status);
}
