/** Tells requests of the console's own page from those that another site causes (CSRF). Pure. */

/** Other origins cannot send it without a preflight, which is refused: it is not among the headers of the option `cors`. */
const HEADER = "stepwell-console";

/**
 * A cookie counts only in requests of the page itself. The header alone keeps other origins out. The others guard against a
 * host that puts a CORS middleware of its own before Stepwell, which may allow any header.
 *
 * A browser names the origin of the public URL. It is that of `baseUrl` or, where that is not the URL that people use, has
 * the host of the request, whatever the scheme: behind a proxy that ends TLS, the request itself is plain. A page of another
 * origin cannot send a host of its own together with the cookie, which belongs to the host.
 * @param origin Origin of `baseUrl`.
 */
export function isOwnPage({ headers, url }: Pick<Request, "headers" | "url">, origin: string): boolean {
  if (headers.get(HEADER) !== "1") return false;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const sender = headers.get("origin");
  if (sender === null || sender === origin) return true;
  return URL.canParse(sender) && new URL(sender).host === (headers.get("host") ?? new URL(url).host);
}
