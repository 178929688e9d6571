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
