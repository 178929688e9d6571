/** What a page of the console must never cause: collected from its first request on. */
import type { BrowserContext, Page } from "playwright-core";

/** Texts that stand where a text or a value is missing. */
const MISSING = /\bundefined\b|\bNaN\b|\[object Object\]|Invalid Date|\bfunction\s*\(/;

export interface Complaints {
  /** All so far. */
  readonly found: readonly string[];
  /** Does not count those that match from now on, such as after a server is stopped on purpose. */
  allow(pattern: RegExp): void;
  /** Looks for missing texts in the page as it is. */
  look(page: Page): Promise<void>;
}

export interface ComplaintsCollector {
  /** Begins anew. @param origin The only origin that pages may send requests to. */
  begin(origin: string): Complaints;
  /** Collects nothing until it begins again. */
  end(): void;
}

/** Sees whatever the pages of a context complain of, for one test after the other. */
export async function createCollector(context: BrowserContext): Promise<ComplaintsCollector> {
  let current: { readonly found: string[]; readonly allowed: RegExp[]; readonly origin: string } | undefined;
  const add = (complaint: string) => {
    if (current?.allowed.some((pattern) => pattern.test(complaint)) === false) current.found.push(complaint);
  };

  await context.exposeFunction("complain", add);
  await context.addInitScript(() => {
    const complain: unknown = Reflect.get(window, "complain");
    const say = (text: string) => (typeof complain === "function" ? complain(text) : undefined);
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile, sample }) =>
      say(`policy: ${violatedDirective} ${blockedURI} ${sourceFile ?? ""} ${sample}`),
    );
    addEventListener("unhandledrejection", ({ reason }) => say(`unhandled rejection: ${String(reason)}`));
  });
  context.on("weberror", (error) => add(`page error: ${error.error().stack ?? error.error().message}`));
  context.on("console", (message) => {
    const isBad = message.type() === "error" || message.type() === "warning";
    // What the server refuses on purpose is shown by the page.
    const isRefusal = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
    if (isBad && !isRefusal) add(`console ${message.type()}: ${message.text()}`);
  });
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${current?.origin}/`) && !/^(?:data|blob):/.test(url)) add(`request to elsewhere: ${url}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 500) add(`response ${response.status()}: ${response.url()}`);
  });

  return {
    begin(origin) {
      const found: string[] = [];
      const allowed: RegExp[] = [];
      current = { found, allowed, origin };
      return {
        found,
        allow: (pattern) => void allowed.push(pattern),
        async look(page) {
          if (page.isClosed()) return;
          const text = await page.evaluate(() => document.body.innerText);
          const line = text.split("\n").find((one) => MISSING.test(one));
          if (line !== undefined) add(`missing text: ${line}`);
        },
      };
    },
    end() {
      current = undefined;
    },
  };
}
