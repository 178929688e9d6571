/** Tells requests of the console's own page from those that another site causes (CSRF). Pure. */

/** Other origins cannot send it without a preflight, which is refused: it is not among the headers of the option `cors`. */
const HEADER = "stepwell-console";

/** People open a local server by any of its names. Others could belong to anybody: DNS may lead them here. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const EVERY_ADDRESS = /^(?:0\.0\.0\.0|\[::\])$/;
/** As `URL` writes addresses. No name looks like one. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;

/**
 * A cookie counts only in requests of the page itself. The header alone keeps other origins out. The others guard against a
 * host that puts a CORS middleware of its own before Stepwell, which may allow any header.
 *
 * A browser names the origin of the public URL, which is that of `baseUrl`. Where that is a local one, as in `stepwell dev`,
 * the page may also be open at another loopback name; or at an IP address, if the server listens on all of them.
 * @param origin Origin of `baseUrl`.
 */
export function isOwnPage({ headers, url }: Pick<Request, "headers" | "url">, origin: string): boolean {
  if (headers.get(HEADER) !== "1") return false;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const sender = headers.get("origin");
  if (sender === null || sender === origin) return true;
  return URL.canParse(sender) && isLocal(new URL(sender), new URL(origin), headers.get("host") ?? new URL(url).host);
}

function isLocal(sender: URL, base: URL, host: string): boolean {
  if (sender.protocol !== base.protocol || sender.host !== host) return false;
  const isEvery = EVERY_ADDRESS.test(base.hostname);
  if (!isEvery && !LOOPBACK.test(base.hostname)) return false;
  return LOOPBACK.test(sender.hostname) || (isEvery && ADDRESS.test(sender.hostname));
}
