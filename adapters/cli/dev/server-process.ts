/** Starts and stops the process of the server. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { CommandError, EXIT, refused } from "../terminal/failure.ts";
import { CONFIG_LIMIT_MS } from "./config-files.ts";
import { type FromServer, isFromServer, type ServerSettings, type ToServer } from "./protocol.ts";

export type Listening = Extract<FromServer, { kind: "listening" }>;

export interface ServerProcess {
  readonly listening: Listening;
  /** Resolves with how it ended, when it ends for any reason: `ended with code 1`. */
  readonly ended: Promise<string>;
  /** Returns another address that opens the console; null for a config without it. */
  createConsoleUrl(): Promise<string | null>;
  stop(): Promise<void>;
}

interface StartOptions {
  /** The module of the server. */
  readonly entry: URL;
  /** Whether what the code of the host prints goes to standard error. */
  readonly isQuiet: boolean;
  /** Aborts the start. */
  readonly signal: AbortSignal;
  /** Called when the start takes long. */
  onSlow(): void;
}

const SLOW_MS = 1_000;
/** A config may also block its process, which can then report nothing. */
const BLOCKED_MS = CONFIG_LIMIT_MS + 5_000;
/** A server stores what is pending. What it cannot store, the next start finds, as after a crash. */
const STOP_MS = 10_000;

/** @throws CommandError if the server does not start; the reason of the signal if it was aborted */
export async function startServer(settings: ServerSettings, options: StartOptions): Promise<ServerProcess> {
  const { entry, isQuiet, signal, onSlow } = options;
  signal.throwIfAborted();
  const child = fork(entry, [], { stdio: ["ignore", isQuiet ? 2 : 1, 2, "ipc"] });
  const ended = once(child, "exit").then(([code, killedBy]: (number | string | null)[]) =>
    code === null ? `was killed by ${killedBy}` : `ended with code ${code}`,
  );
  const kill = () => void child.kill("SIGKILL");
  const slow = setTimeout(onSlow, SLOW_MS);
  let isBlocked = false;
  const blocked = setTimeout(() => {
    isBlocked = true;
    kill();
  }, BLOCKED_MS);
  signal.addEventListener("abort", kill, { once: true });
  try {
    const answers = Promise.race([answerOf(child, () => clearTimeout(blocked)), ended]);
    child.send({ kind: "start", settings } satisfies ToServer);
    const answer = await answers;
    signal.throwIfAborted();
    if (isBlocked) throw refused("The server did not start: the config does not finish loading.", BLOCKED_HINT);
    if (typeof answer === "string") throw refused(`The server ${answer} before it listened.`);
    if (answer.kind === "failed") {
      await ended;
      throw new CommandError(EXIT.refused, `The server did not start: ${answer.message}`, answer.hint ?? undefined);
    }
    return {
      listening: answer,
      ended,
      createConsoleUrl: () => Promise.race([consoleUrlOf(child), ended.then(() => null)]),
      stop: () => stop(child, ended),
    };
  } finally {
    clearTimeout(slow);
    clearTimeout(blocked);
    signal.removeEventListener("abort", kill);
  }
}

const BLOCKED_HINT = "Look for a loop without an end, or an await of something that never happens.";

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  if (child.connected) child.send({ kind: "stop" } satisfies ToServer);
  await ended;
  clearTimeout(timer);
}

function consoleUrlOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.on("message", function take(message) {
      if (!isFromServer(message) || message.kind !== "console") return;
      child.off("message", take);
      resolve(message.url);
    });
    if (child.connected) child.send({ kind: "console" } satisfies ToServer);
  });
}

type Answer = Exclude<FromServer, { kind: "loaded" | "console" }>;

function answerOf(child: ChildProcess, onLoaded: () => void): Promise<Answer> {
  return new Promise((resolve) => {
    child.on("message", (message) => {
      if (!isFromServer(message)) return;
      if (message.kind === "loaded") onLoaded();
      else if (message.kind !== "console") resolve(message);
    });
  });
}
