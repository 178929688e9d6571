/** The URL of a request, which every server builds from the Host header that the client chose. */
import { StepwellError } from "../errors.ts";

/** Characters with which a Host header would end the authority of a URL, or hold more than host and port. */
const FOREIGN = /[\s@/?#\\]/;

/**
 * Returns the URL of a request, whose authority can be parsed. Routes may create a URL object from it.
 * @throws StepwellError `malformed` for a Host header that is no host with an optional port (RFC 9110 §7.2)
 */
export type ReadUrl = (request: Request) => string;

export function createReadUrl(): ReadUrl {
  /** Nearly all requests have the same one, and parsing costs more than comparing. */
  let lastValid = "";

  return (request) => {
    const url = urlOf(request);
    // An empty header is valid. In HTTP/2, and in requests that the host creates, only the URL has the authority.
    const authority = (request.headers.get("host") ?? authorityOf(url)).trim();
    if (authority === "" || authority === lastValid) return url;
    if (FOREIGN.test(authority) || !URL.canParse(`http://${authority}/`)) throw noAuthority();
    lastValid = authority;
    return url;
  };
}

/** srvx creates the URL when it is read, and throws a TypeError if it cannot be parsed. */
function urlOf(request: Request): string {
  try {
    return request.url;
  } catch (cause) {
    throw noAuthority(cause);
  }
}

function authorityOf(url: string): string {
  const start = url.indexOf("://") + 3;
  return url.slice(start, url.indexOf("/", start));
}

function noAuthority(cause?: unknown): StepwellError {
  const message = "Must be a host name or an IP address, with an optional port.";
  const errors = [{ pointer: "/host", message, in: "header" as const }];
  return new StepwellError("malformed", `header host: ${message}`, { errors, cause });
}
