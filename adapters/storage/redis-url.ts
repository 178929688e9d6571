/** What URLs of Redis contain beside the address. */

/** `ioredis` would select the database NaN. */
export function hasDatabaseNumber(url: string): boolean {
  return !/^rediss?:/.test(url) || !URL.canParse(url) || /^(\/\d{0,5})?$/.test(new URL(url).pathname);
}

export function passwordOf(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null;
  const { password } = new URL(url);
  return decodeURIComponent(password);
}

/** Host and port of a URL, or the path of a Unix socket, without credentials. */
export function addressOf(url: string): string {
  if (!/^rediss?:/.test(url)) return url.replace(/^unix:\/\//, "");
  if (!URL.canParse(url)) return "";
  const { hostname, port } = new URL(url);
  return `${hostname === "" ? "127.0.0.1" : hostname}:${port === "" ? "6379" : port}`;
}
