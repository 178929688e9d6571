/** Which pages of other origins may call (the Fetch standard's CORS protocol). */

export interface CorsOptions {
  /** `*`, or the origins that are answered, such as `https://app.example.com`. */
  readonly origins: "*" | readonly string[];
  /** Seconds for which a browser may remember a preflight. @default 7200 */
  readonly maxAge?: number;
}

export interface Cors {
  /** Headers for the answer to a request; null when its origin is not answered. */
  headers(request: Request): Readonly<Record<string, string>> | null;
  /** Headers for a preflight, beside those; null when it is none. */
  preflight(request: Request, allowed: readonly string[]): Readonly<Record<string, string>> | null;
}

/** What tus 1.0.0 sends both ways. */
const TUS = ["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Defer-Length", "Upload-Metadata"];

/** What a page may read of an answer beside its body. */
const EXPOSED = [
  "Location",
  "Link",
  "X-Total-Count",
  "X-Next-Page-Token",
  "X-Request-Id",
  "Retry-After",
  "ETag",
  "Last-Modified",
  "Accept-Ranges",
  "Content-Range",
  "Content-Disposition",
  "Content-Location",
  ...TUS,
  "Upload-Expires",
  "Tus-Version",
  "Tus-Extension",
  "Tus-Max-Size",
  "Tus-Checksum-Algorithm",
].join(", ");

const TAKEN = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "Prefer",
  "Range",
  "If-Range",
  "If-Match",
  "If-None-Match",
  "If-Modified-Since",
  "If-Unmodified-Since",
  "Last-Event-ID",
  "X-Request-Id",
  ...TUS,
  "Upload-Checksum",
  "X-HTTP-Method-Override",
].join(", ");
/** Browsers cap it there or lower. */
const DEFAULT_MAX_AGE = 7_200;

export function createCors(options: CorsOptions | undefined): Cors {
  if (options === undefined) return { headers: () => null, preflight: () => null };
  const { origins, maxAge = DEFAULT_MAX_AGE } = options;
  const known = origins === "*" ? null : new Set(origins.map((origin) => origin.replace(/\/$/, "")));
  return {
    headers(request) {
      if (known === null) {
        return { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };
      }
      const origin = request.headers.get("origin");
      // Caches must not hand one origin's answer to another, so the absence of the headers varies as well.
      if (origin === null || !known.has(origin)) return { vary: "Origin" };
      return { vary: "Origin", "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED };
    },
    preflight(request, allowed) {
      if (!request.headers.has("origin") || !request.headers.has("access-control-request-method")) return null;
      return {
        "access-control-allow-methods": allowed.join(", "),
        "access-control-allow-headers": TAKEN,
        "access-control-max-age": String(maxAge),
      };
    },
  };
}
