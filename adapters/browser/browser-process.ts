/** The shared browser process: launched for the first page, and replaced when it crashes or has served enough pages. */
import process from "node:process";
import type { Browser } from "playwright-core";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { BrowserError } from "../../src/ports/browser.ts";
import { packageProblem } from "../package-problem.ts";
import { findBrowser } from "./find-browser.ts";
import type { BrowserLimits } from "./limits.ts";
import { type MemoryWatchdog, startMemoryWatchdog } from "./memory-watchdog.ts";

export interface BrowserProcess {
  readonly browser: Browser;
  readonly memory: MemoryWatchdog;
  /** Kills a browser that no longer responds, with all its pages. */
  kill(): void;
}

export interface BrowserPool {
  /** Reserves the browser for one page. @throws BrowserError `not_installed`, `browser_died` */
  acquire(): Promise<{ instance: BrowserProcess; release(): void }>;
  close(): Promise<void>;
}

export interface LaunchOptions {
  readonly executablePath: string | undefined;
  readonly sandbox: boolean;
}

interface PooledBrowser {
  readonly started: Promise<BrowserProcess>;
  open: number;
  total: number;
  /** Accepts no further pages. */
  isRetired: boolean;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** Milliseconds to wait for a browser to close before it is killed. */
const CLOSE_TIMEOUT_MS = 5_000;

export function createBrowserPool(options: LaunchOptions, limits: BrowserLimits): BrowserPool {
  const all = new Set<PooledBrowser>();
  let current: PooledBrowser | undefined;

  function start(): PooledBrowser {
    const shared: PooledBrowser = {
      started: launch(options, limits),
      open: 0,
      total: 0,
      isRetired: false,
      idle: undefined,
    };
    all.add(shared);
    shared.started.then(
      ({ browser }) => browser.once("disconnected", () => void end(shared)),
      () => void end(shared),
    );
    return shared;
  }

  async function end(shared: PooledBrowser): Promise<void> {
    shared.isRetired = true;
    clearTimeout(shared.idle);
    if (current === shared) current = undefined;
    try {
      const { browser, memory, kill } = await shared.started;
      memory.stop();
      const hanging = setTimeout(kill, CLOSE_TIMEOUT_MS);
      await browser.close().finally(() => clearTimeout(hanging));
    } catch {
      // it failed to start; `acquire` has reported the error
    }
    all.delete(shared);
  }

  function release(shared: PooledBrowser): void {
    shared.open--;
    if (shared.open > 0) return;
    if (shared.isRetired) void end(shared);
    else shared.idle = setTimeout(() => void end(shared), limits.idleMs);
  }

  return {
    async acquire() {
      current ??= start();
      const shared = current;
      clearTimeout(shared.idle);
      shared.open++;
      shared.total++;
      if (shared.total >= limits.pagesPerBrowser) {
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

async function launch({ executablePath, sandbox }: LaunchOptions, limits: BrowserLimits): Promise<BrowserProcess> {
  const { chromium } = await playwright();
  const program = await findBrowser(executablePath);
  try {
    const browser = await chromium.launch({
      executablePath: program,
      chromiumSandbox: sandbox,
      env: browserEnvironment(),
      args: browserArguments(limits),
      ignoreDefaultArgs: ["--disable-popup-blocking"],
      // Nothing listens on this port. Traffic that bypasses the proxy of its page fails.
      proxy: { server: "socks5://127.0.0.1:9" },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const id = processInfo.find(({ type }) => type === "browser")?.id;
    return { browser, memory: startMemoryWatchdog(session, limits.memoryBytes), kill: () => end(id) };
  } catch (cause) {
    throw new BrowserError("browser_died", `The browser ${program} failed to start${hint(cause)}.`, cause);
  }
}

function end(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(id, "SIGKILL");
  } catch {
    // it has exited already
  }
}

function browserArguments({ memoryBytes }: BrowserLimits): string[] {
  return [
    `--js-flags=--max-old-space-size=${Math.max(16, Math.floor(memoryBytes / 2 / MEBIBYTE))}`,
    "--disable-dev-shm-usage", // small in containers
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-gpu",
    "--site-per-process", // not the default in the headless shell
  ];
}

/** The variables that a program needs to start. Excludes everything else, which may contain secrets. */
function browserEnvironment(): Record<string, string> {
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
    throw new BrowserError("not_installed", packageProblem("Rendering pages", "playwright-core", cause), cause);
  }
}

/** Suggests a fix for the launch failure that has one. */
function hint(cause: unknown): string {
  const isSandbox = cause instanceof Error && /no usable sandbox|running as root without/i.test(cause.message);
  return isSandbox ? ": its sandbox is not available here. Allow user namespaces, or set { sandbox: false }" : "";
}
