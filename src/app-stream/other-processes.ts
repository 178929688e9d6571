/**
 * Tells the processes of a cluster what changes in the apps that they follow.
 *
 * A process says with each beat which apps it follows. The others number the messages that they send about an app, and answer with
 * the last number. So a process notices when messages were lost, or when another one has only begun to tell, and then lets its
 * followers read everything again.
 */
import * as v from "valibot";
import type { Cluster } from "../cluster/cluster.ts";
import { MAX_BODY_CHARS } from "../cluster/signals.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { instant } from "../time/iso.ts";
import { elapsedOf } from "../time/system-clock.ts";
import { SECOND_MS } from "../time/units.ts";
import { AppChange } from "./app-change.ts";
import type { ChangeFeed, OtherProcesses } from "./change-feed.ts";
import { missingAt } from "./pending-changes.ts";

/** How long the others send changes of an app after a process last said that it follows it: some beats. */
const FOLLOWED_MS = 15 * SECOND_MS;
/** How long a new follower waits until all others tell. */
const ANSWER_MS = SECOND_MS;
/** After how long without a word about an app a process is forgotten. */
const SILENT_MS = 30 * SECOND_MS;

/** What this process tells about an app. */
interface Told {
  /** Changes when telling begins anew, after a time in which nothing was told. */
  readonly epoch: string;
  /** Number of messages so far. */
  count: number;
  /** Elapsed milliseconds until which others follow it. */
  until: number;
}

/** What another process has told about an app. */
interface Heard {
  readonly epoch: string;
  readonly count: number;
  /** Elapsed milliseconds. */
  readonly at: number;
}

const position = { from: v.string(), app: v.string(), epoch: v.string(), count: v.number() } as const;
const Changes = v.object({ ...position, changes: v.array(v.object({ change: AppChange, version: v.number() })) });
const Position = v.object(position);
type Position = v.InferOutput<typeof Position>;

type Parts = {
  readonly cluster: Pick<Cluster, "signals" | "membership" | "onBeat">;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "random">;
  readonly feed: Pick<ChangeFeed, "followedHere" | "deliver">;
};

export function createOtherProcesses({ cluster, clock, ids, feed }: Parts): OtherProcesses {
  const { signals, membership, onBeat } = cluster;
  const self = ids.random(16);
  const told = new Map<string, Told>();
  /** By app, then by process. */
  const heard = new Map<string, Map<string, Heard>>();
  /** Those who wait until all others tell, by app. */
  const listeners = new Map<string, Set<() => void>>();
  const now = () => elapsedOf(clock);

  signals.on("apps", (body) => {
    for (const app of body.split(" ")) {
      const known = tellingOf(app) ?? { epoch: ids.random(8), count: 0, until: 0 };
      known.until = now() + FOLLOWED_MS;
      told.set(app, known);
      const { epoch, count } = known;
      signals.send("told", JSON.stringify({ from: self, app, epoch, count } satisfies Position));
    }
  });

  signals.on("told", (body) => {
    const said = parsed(Position, body);
    if (said !== null) hear(said, said.count);
  });

  signals.on("changes", (body) => {
    const said = parsed(Changes, body);
    if (said === null) return;
    hear(said, said.count - 1);
    feed.deliver(said.app, said.changes);
  });

  onBeat(async () => {
    forgetSilent();
    announce(feed.followedHere());
  });

  function tellingOf(app: string): Told | undefined {
    const known = told.get(app);
    if (known === undefined || known.until > now()) return known;
    told.delete(app);
    return undefined;
  }

  /** @param before Number of messages that must have arrived. */
  function hear({ from, app, epoch, count }: Position, before: number): void {
    const ofApp = heard.get(app);
    if (ofApp === undefined) return; // nobody here follows it
    const known = ofApp.get(from);
    const isComplete = known?.epoch === epoch && known.count === before;
    const isExpected = known === undefined && listeners.has(app);
    ofApp.set(from, { epoch, count, at: now() });
    if (!isComplete && !isExpected) feed.deliver(app, [missingAt(instant(clock.now()))]);
    if (isEveryoneHeard(app)) for (const resolve of listeners.get(app) ?? []) resolve();
  }

  const isEveryoneHeard = (app: string) => (heard.get(app)?.size ?? 0) >= membership.members().length - 1;

  function forgetSilent(): void {
    for (const ofApp of heard.values())
      for (const [from, { at }] of ofApp) if (now() - at >= SILENT_MS) ofApp.delete(from);
  }

  function announce(apps: readonly string[]): void {
    for (const some of inMessages(apps, (app) => app.length + 1)) signals.send("apps", some.join(" "));
  }

  return {
    get areIdle() {
      for (const app of told.keys()) if (tellingOf(app) !== undefined) return false;
      return true;
    },

    follow: (app) => tellingOf(app) !== undefined,

    tell(app, changes) {
      const telling = tellingOf(app);
      if (telling === undefined) return;
      for (const some of inMessages(changes, (change) => JSON.stringify(change).length + 1, POSITION_CHARS)) {
        telling.count++;
        const { epoch, count } = telling;
        // A change that is too long for a message is one that was lost.
        signals.send("changes", JSON.stringify({ from: self, app, epoch, count, changes: some }));
      }
    },

    async listen(app) {
      const isHeard = heard.has(app) && !listeners.has(app);
      if (!heard.has(app)) heard.set(app, new Map());
      if (isHeard || isEveryoneHeard(app)) return;
      const waiting = listeners.get(app) ?? new Set();
      listeners.set(app, waiting);
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        const cancel = clock.after(ANSWER_MS, resolve);
        waiting.add(cancel);
        announce([app]);
      });
      listeners.delete(app);
    },

    forget(app) {
      heard.delete(app);
    },
  };
}

/** Room for what a message says besides its changes. */
const POSITION_CHARS = 200;

/** Groups of items that are short enough for a message. An item that is too long is alone. */
function inMessages<T>(items: readonly T[], lengthOf: (item: T) => number, reserved = 0): T[][] {
  const groups: T[][] = [];
  let left = 0;
  for (const item of items) {
    const length = lengthOf(item);
    const group = groups.at(-1);
    if (group !== undefined && length <= left) group.push(item);
    else groups.push([item]);
    left = (group !== undefined && length <= left ? left : MAX_BODY_CHARS - reserved) - length;
  }
  return groups;
}

function parsed<Schema extends v.GenericSchema>(schema: Schema, body: string): v.InferOutput<Schema> | null {
  try {
    const result = v.safeParse(schema, JSON.parse(body));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}
