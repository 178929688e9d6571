/** Starts and stops the process of the server. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { CommandError, EXIT } from "../terminal/failure.ts";
import { type FromServer, isFromServer, type ServerSettings, type ToServer } from "./protocol.ts";

export type Listening = Extract<FromServer, { kind: "listening" }>;

export interface ServerProcess {
  readonly listening: Listening;
  /** Resolves with its exit code when it ends for any reason. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/**
 * @param entry The module of the server.
 * @param isQuiet Whether what the code of the host prints goes to standard error.
 * @throws CommandError if the server does not start
 */
export async function startServer(entry: URL, settings: ServerSettings, isQuiet: boolean): Promise<ServerProcess> {
  const child = fork(entry, [], { stdio: ["ignore", isQuiet ? 2 : 1, 2, "ipc"] });
  const ended = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
  const first = Promise.race([answerOf(child), ended]);
  child.send({ kind: "start", settings } satisfies ToServer);
  const answer = await first;
  if (answer === null || typeof answer === "number") {
    throw new CommandError(EXIT.refused, `The server ended with code ${answer} before it listened.`);
  }
  if (answer.kind === "failed") {
    await ended;
    throw new CommandError(EXIT.refused, `The server did not start: ${answer.message}`, answer.hint ?? undefined);
  }
  return {
    listening: answer,
    ended,
    async stop() {
      if (child.connected) child.send({ kind: "stop" } satisfies ToServer);
      await ended;
    },
  };
}

function answerOf(child: ChildProcess): Promise<FromServer> {
  return new Promise((resolve) => {
    child.on("message", (message) => {
      if (isFromServer(message)) resolve(message);
    });
  });
}
