/** One process of a simulation: a Stepwell on the shared disk that can be killed, stopped and continued. */
import { type AnyService, createStepwell, type Limits, type Logger, type Stepwell } from "../../src/index.ts";
import type { Disk } from "./disk.ts";
import { type Conditions, createSimulatedDriver, cutOff } from "./driver.ts";
import { createSimulatedIds } from "./ids.ts";
import type { Random } from "./random.ts";
import type { Lane, Timeline } from "./timeline.ts";

/** The process died before it responded: the client doesn't know whether the call took effect. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

export interface SimulatedProcess extends Lane {
  readonly name: string;
  /** Makes a call as a client: waits until the process runs. @throws ConnectionLost if the process dies meanwhile */
  call<T>(ask: (stepwell: Stepwell) => Promise<T>): Promise<T>;
  /** Dies at once: only requests that it had already sent may still take effect. */
  crash(reason: string): void;
  /** SIGSTOP: delays its timers and the responses to it. */
  stop(): void;
  /** SIGCONT. */
  continue(): void;
  /** Closes regularly. Settles when it has ended or was killed meanwhile. */
  close(): Promise<void>;
}

/** What all processes of a simulation share. */
export interface ProcessParts {
  readonly disk: Disk;
  readonly timeline: Timeline;
  readonly random: Random;
  readonly conditions: Conditions;
  readonly limits: Partial<Limits>;
  readonly checkpointRecords: number;
  /** The services of one process. */
  services(process: SimulatedProcess): readonly AnyService[];
  log(text: string): void;
  /** Called when a process took over the storage, and when it was killed. */
  onTakeover(process: SimulatedProcess): void;
  crashed(process: SimulatedProcess): void;
}

/** 2030-01-01T00:00:00Z, when every simulation begins. */
export const START = Date.UTC(2030, 0);

export function startProcess(name: string, parts: ProcessParts): SimulatedProcess {
  const { disk, timeline, random, conditions, limits, checkpointRecords } = parts;
  const log = (text: string) => parts.log(`${name} ${text}`);
  let state: Lane["state"] = "running";
  let lost: (error: ConnectionLost) => void = () => {};
  const death = new Promise<never>((_, reject) => {
    lost = reject;
  });
  death.catch(() => {}); // most processes die without a pending call
  let continued = Promise.resolve();
  let release = () => {};

  const process: SimulatedProcess = {
    name,
    get state() {
      return state;
    },

    async call(ask) {
      await Promise.race([continued, death]);
      // A response in the turn in which the process died is lost.
      const answer = ask(stepwell).finally(() => (state === "dead" ? death : undefined));
      answer.catch(() => {});
      return Promise.race([answer, death]);
    },

    crash(reason) {
      if (state === "dead") return;
      log(`dies: ${reason}`);
      parts.crashed(process);
      state = "dead";
      lost(new ConnectionLost(`${name} died: ${reason}`));
      cutOff(disk, process, random);
    },

    stop() {
      if (state !== "running") return;
      log("is stopped");
      state = "stopped";
      continued = new Promise((resolve) => {
        release = resolve;
      });
    },

    continue() {
      if (state !== "stopped") return;
      log("is continued");
      state = "running";
      release();
    },

    async close() {
      await process.call((stepwell) => stepwell.close()).catch(() => {});
      if (state === "dead") return;
      log("has ended");
      state = "dead";
      // What the storage had not answered when the process gave up waiting.
      cutOff(disk, process, random);
      lost(new ConnectionLost(`${name} has ended`));
    },
  };

  const stepwell = createStepwell({
    storage: {
      entities: createSimulatedDriver({
        ...{ disk, process, timeline, random, conditions, log },
        onTakeover: () => parts.onTakeover(process),
      }),
      checkpointRecords,
    },
    clock: {
      now: () => START + Math.floor(timeline.now),
      after: (milliseconds, callback) => timeline.after(milliseconds, callback, process),
      // Each storage call is an event of its own here, so that no turn takes long.
      nextTurn: (callback) => callback(),
    },
    ids: createSimulatedIds(name.toLowerCase(), random),
    logger: loggerOf(log),
    fetch: () => Promise.reject(new Error("A simulation reaches nothing outside.")),
    services: parts.services(process),
    limits,
  });
  log("starts");
  return process;
}

function loggerOf(log: (text: string) => void): Logger {
  const line =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const { error, ...others } = fields;
      const reason = error instanceof Error ? `: ${error.message}` : "";
      log(`logs ${level}: ${message}${reason} ${Object.values(others).join(" ")}`.trimEnd());
    };
  return { debug: () => {}, info: line("info"), warn: line("warn"), error: line("error") };
}
