/** The one browser that all pages share: started with the first, started anew when it died or is worn out. */
import process from "node:process";
import type { Browser } from "playwright-core";
import { BrowserError } from "../../src/ports/browser.ts";
import { findBrowser } from "./find-browser.ts";
import type { BrowserLimits } from "./limits.ts";
import { type MemoryWatch, watchMemory } from "./memory-watchdog.ts";

export interface Instance {
  readonly browser: Browser;
  readonly memory: MemoryWatch;
  /** Ends one that does not answer any more, and all that it has open. */
  kill(): void;
}

export interface Instances {
  /** Holds the browser for one page. @throws BrowserError `not_installed`, `browser_died` */
  hold(): Promise<{ instance: Instance; release(): void }>;
  close(): Promise<void>;
}

export interface LaunchOptions {
  readonly executablePath: string | undefined;
  readonly sandbox: boolean;
}

interface Shared {
  readonly started: Promise<Instance>;
  open: number;
  total: number;
  /** Takes no page any more. */
  isRetired: boolean;
  idle: ReturnType<typeof setTimeout> | undefined;
}

const MEBI = 1024 * 1024;
/** Milliseconds that a browser may take to close. */
const CLOSING = 5_000;

export function createInstances(options: LaunchOptions, limits: BrowserLimits): Instances {
  const all = new Set<Shared>();
  let current: Shared | undefined;

  function start(): Shared {
    const shared: Shared = { started: launch(options, limits), open: 0, total: 0, isRetired: false, idle: undefined };
    all.add(shared);
    shared.started.then(
      ({ browser }) => browser.once("disconnected", () => void end(shared)),
      () => void end(shared),
    );
    return shared;
  }

  async function end(shared: Shared): Promise<void> {
    shared.isRetired = true;
    clearTimeout(shared.idle);
    if (current === shared) current = undefined;
    try {
      const { browser, memory, kill } = await shared.started;
      memory.stop();
      const hanging = setTimeout(kill, CLOSING);
      await browser.close().finally(() => clearTimeout(hanging));
    } catch {
      // it never started, and was told to whoever asked
    }
    all.delete(shared);
  }

  function release(shared: Shared): void {
    shared.open--;
    if (shared.open > 0) return;
    if (shared.isRetired) void end(shared);
    else shared.idle = setTimeout(() => void end(shared), limits.idle);
  }

  return {
    async hold() {
      current ??= start();
      const shared = current;
      clearTimeout(shared.idle);
      shared.open++;
      shared.total++;
      if (shared.total >= limits.renew) {
        shared.isRetired = true;
        current = undefined;
      }
      try {
        const instance = await shared.started;
        let isOver = false;
        return {
          instance,
          release() {
            if (!isOver) release(shared);
            isOver = true;
          },
        };
      } catch (error) {
        release(shared);
        throw error;
      }
    },
    async close() {
      await Promise.all([...all].map(end));
    },
  };
}

async function launch({ executablePath, sandbox }: LaunchOptions, limits: BrowserLimits): Promise<Instance> {
  const { chromium } = await playwright();
  const program = await findBrowser(executablePath);
  try {
    const browser = await chromium.launch({
      executablePath: program,
      chromiumSandbox: sandbox,
      env: surroundings(),
      args: argumentsOf(limits),
      ignoreDefaultArgs: ["--disable-popup-blocking"],
      // Nobody listens there: what does not go through the tunnel of its page goes nowhere.
      proxy: { server: "socks5://127.0.0.1:9" },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const id = processInfo.find(({ type }) => type === "browser")?.id;
    return { browser, memory: watchMemory(session, limits.memory), kill: () => end(id) };
  } catch (cause) {
    throw new BrowserError("browser_died", `The browser ${program} does not start${hint(cause)}.`, cause);
  }
}

function end(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(id, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}

function argumentsOf({ memory }: BrowserLimits): string[] {
  return [
    `--js-flags=--max-old-space-size=${Math.max(16, Math.floor(memory / 2 / MEBI))}`,
    "--disable-dev-shm-usage", // small in containers
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-gpu",
    "--site-per-process", // the headless shell does it only when asked to
  ];
}

/** What a program needs to start, and no secrets of the host's. */
function surroundings(): Record<string, string> {
  const needed = ["PATH", "HOME", "LANG", "TMPDIR", "TEMP", "TMP", "SystemRoot", "LOCALAPPDATA", "USERPROFILE"];
  return Object.fromEntries(
    needed.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function playwright(): Promise<typeof import("playwright-core")> {
  try {
    return await import("playwright-core");
  } catch (cause) {
    const message = 'Rendering pages needs the package "playwright-core": npm install playwright-core';
    throw new BrowserError("not_installed", message, cause);
  }
}

/** Of what goes wrong at the start, this has a remedy. */
function hint(cause: unknown): string {
  const isSandbox = cause instanceof Error && /no usable sandbox|running as root without/i.test(cause.message);
  return isSandbox ? ": its sandbox does not run here; allow user namespaces, or set { sandbox: false }" : "";
}
