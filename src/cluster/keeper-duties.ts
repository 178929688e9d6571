/** The background work of the keeper. Other processes tell it what there is to do. */
import type { Clock } from "../ports/clock.ts";
import type { Background } from "../time/background.ts";
import type { Alarms } from "../time/durable-timers.ts";
import type { Duties } from "../time/duties.ts";
import { atMoment, elapsedOf } from "../time/system-clock.ts";
import { MINUTE_MS } from "../time/units.ts";
import type { Keeper } from "./keeper.ts";
import type { Signals } from "./signals.ts";

export interface KeeperDuties extends Duties {
  /** Looks for all work that is left. Call it when this process has become the keeper, or another process was lost. */
  resumeAll(): void;
  /** Looks for work of which no message has arrived. Call it at each beat of the keeper. */
  look(): void;
}

/** How often the keeper looks for work of which no message has arrived. */
const LOOK_MS = MINUTE_MS;
/** Before the name of a list of timers. */
const TIMERS = "timers";

export function createKeeperDuties(parts: {
  clock: Clock;
  keeper: Keeper;
  signals: Signals;
  background: Background;
}): KeeperDuties {
  const { clock, keeper, signals, background } = parts;
  /** What there is to do, by part. */
  const acts = new Map<string, (subject: string) => void>();
  const resumes = new Map<string, () => void>();
  const resumesOfOthers = new Map<string, () => void>();
  const rings = new Map<string, () => void>();
  const armed = new Map<string, { readonly moment: number; cancel(): void }>();
  let lastLook = elapsedOf(clock);

  signals.on("duty", (body) => {
    const colon = body.indexOf(":");
    if (keeper.isMine) acts.get(body.slice(0, colon))?.(body.slice(colon + 1));
  });

  function assign(part: string, act: (subject: string) => void): (subject: string) => void {
    acts.set(part, act);
    return (subject) => (keeper.isMine ? act(subject) : signals.send("duty", `${part}:${subject}`));
  }

  /** Acts once at a time. What is asked for meanwhile is done once more afterwards. */
  function oneAtATime(part: string, act: () => Promise<unknown>): () => void {
    let isActing = false;
    let isWanted = false;
    async function run(): Promise<void> {
      isActing = true;
      while (isWanted) {
        isWanted = false;
        await background.retryUntilDone(part, act).done;
      }
      isActing = false;
    }
    return () => {
      isWanted = true;
      if (!isActing) void run();
    };
  }

  function arm(list: string, moment: number): void {
    const before = armed.get(list);
    if (before !== undefined && before.moment <= moment) return;
    before?.cancel();
    armed.delete(list);
    if (moment <= clock.now()) {
      rings.get(list)?.();
      return;
    }
    const cancel = atMoment(clock, moment, () => {
      armed.delete(list);
      if (keeper.isMine) rings.get(list)?.();
    });
    armed.set(list, { moment, cancel });
  }

  const ringSoon = assign(TIMERS, (list) => rings.get(list)?.());
  const alarms: Alarms = {
    onRing(list, ring) {
      if (!rings.has(list)) rings.set(list, oneAtATime(list, ring));
    },
    // Others need not tell when: the keeper reads it when it rings.
    set: (list, due) => (keeper.isMine ? arm(list, Date.parse(due)) : ringSoon(list)),
  };

  function look(): void {
    lastLook = elapsedOf(clock);
    for (const resume of resumes.values()) resume();
  }

  return {
    get isMine() {
      return keeper.isMine;
    },
    alarms,
    assign,
    add: (part, resume) => void resumes.set(part, oneAtATime(part, resume)),
    addOfOthers: (part, resume) => void resumesOfOthers.set(part, oneAtATime(part, resume)),
    resumeAll() {
      look();
      for (const resume of resumesOfOthers.values()) resume();
    },
    look() {
      if (elapsedOf(clock) - lastLook >= LOOK_MS) look();
    },
  };
}
