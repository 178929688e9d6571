/** Opens an address in the browser of the person at the terminal. */
import { spawn } from "node:child_process";
import { refused } from "../terminal/failure.ts";

interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The variable `BROWSER`, which names a program on Linux, is valid everywhere. */
function programFor(url: string, platform: string, browser: string | undefined): Program {
  if (browser !== undefined && browser !== "") return { command: browser, args: [url] };
  if (platform === "darwin") return { command: "open", args: [url] };
  // `start` would be a command of the shell, which reads the & of an address.
  if (platform === "win32") return { command: "rundll32", args: ["url.dll,FileProtocolHandler", url] };
  return { command: "xdg-open", args: [url] };
}

/** @throws CommandError if there is no program that opens addresses */
export async function openBrowser(url: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { command, args } = programFor(url, process.platform, env["BROWSER"]);
  // It outlives this process.
  const child = spawn(command, args, { detached: true, stdio: "ignore" });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", ({ message }) => reject(refused(`No browser opens: ${message}.`)));
  });
  child.unref();
}
