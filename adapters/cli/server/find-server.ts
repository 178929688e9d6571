/** Which server a command talks to, and with which key. */
import { wrongUse } from "../terminal/failure.ts";
import type { Shell } from "../terminal/shell.ts";
import { readDevFile } from "./dev-file.ts";

export interface ServerAddress {
  readonly url: string;
  readonly key: string | undefined;
}

interface Reader {
  text(name: string): string | undefined;
}

/**
 * The address from `--url`, from STEPWELL_URL, or of `stepwell dev` in this folder. The key of `stepwell dev` is only
 * sent to its own server.
 * @param kind Which key: that of an app, or the admin key.
 * @throws CommandError with exit code 2 if nothing says where the server is
 */
export async function findServer(given: Reader, shell: Shell, kind: "app" | "admin" = "app"): Promise<ServerAddress> {
  const { env, cwd } = shell;
  const names = kind === "app" ? (["key", "STEPWELL_KEY"] as const) : (["admin-key", "STEPWELL_ADMIN_KEY"] as const);
  const key = given.text(names[0]) ?? (env[names[1]] || undefined);
  const url = given.text("url") ?? (env["STEPWELL_URL"] || undefined);
  const dev = await readDevFile(cwd);
  const own = kind === "app" ? dev?.key : dev?.admin_key;
  if (url === undefined) {
    if (typeof dev?.url === "string") return { url: dev.url, key: key ?? own ?? undefined };
    const hint = "Start `stepwell dev` in this folder, or pass --url and --key (STEPWELL_URL and STEPWELL_KEY).";
    throw wrongUse("There is no server to talk to.", hint);
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw wrongUse(
      `${JSON.stringify(url)} is no address.`,
      "Pass an http: or https: URL, such as https://example.com/automation.",
    );
  }
  if (new URL(url).search + new URL(url).hash !== "") {
    throw wrongUse(
      `${JSON.stringify(url)} has a query or a fragment.`,
      "Pass only the address and the path of the server.",
    );
  }
  const isDev = dev?.url != null && sameAddress(dev.url, url);
  return { url, key: key ?? (isDev ? (own ?? undefined) : undefined) };
}

/** An address, or its path, without slashes at the end. */
export const bare = (address: string) => address.replace(/(?<!\/)\/+$/, "");
const sameAddress = (one: string, other: string) => bare(one) === bare(other);
