/** CORS: which web pages of other origins may call the API (Fetch standard, CORS protocol). */
import { USER_HEADERS } from "../calls/caller.ts";

/** Which web pages of other origins may call the HTTP API. */
export interface CorsOptions {
  /** Allowed origins, such as `https://app.example.com`, or `*` for all. */
  readonly origins: "*" | readonly string[];
  /** Seconds for which browsers may cache a preflight response. @default 7200 */
  readonly maxAge?: number;
}

export interface Cors {
  /** Headers of the response; null if the origin is not allowed. */
  headers(request: Request): Readonly<Record<string, string>> | null;
  /** Additional headers of a preflight response; null if the request is not a preflight. */
  preflight(request: Request, allowed: readonly string[]): Readonly<Record<string, string>> | null;
}

/** Request and response headers of tus 1.0.0. */
const TUS = ["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Defer-Length", "Upload-Metadata"];

/** Response headers that web pages may read. */
const EXPOSED = [
  "Location",
  "Link",
  "X-Total-Count",
  "X-Next-Page-Token",
  "X-Incomplete",
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
  ...Object.values(USER_HEADERS),
].join(", ");
/** Browsers cap it at this value or lower. */
const DEFAULT_MAX_AGE_SECONDS = 7_200;

export function createCors(options: CorsOptions | undefined): Cors {
  if (options === undefined) return { headers: () => null, preflight: () => null };
  const { origins, maxAge = DEFAULT_MAX_AGE_SECONDS } = options;
  const known = origins === "*" ? null : new Set(origins.map((origin) => origin.replace(/\/$/, "")));
  return {
    headers(request) {
      if (known === null) {
        return { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };
      }
      const origin = request.headers.get("origin");
      // Caches must not serve one origin's response to another, so responses without the headers vary, too.
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
