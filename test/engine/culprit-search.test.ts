/** The search for the run that kills the process, against a model of processes that die. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CulpritSearch, MAX_STRIKES, nextSearch } from "../../src/engine/dispatch/culprit-search.ts";

interface ModelRun {
  readonly id: string;
  /** Milliseconds of execution after which it kills the process; null for an innocent run. */
  readonly killsAfter: number | null;
  /** Starts that resumed it since its last progress. */
  idle: number;
  isOver: boolean;
}

/** The fate of one process: which run it fails, and why it ends. */
interface Life {
  readonly culprit: string | null;
  readonly end: "killed by a run" | "killed from outside" | "lives on";
}

/** When a process is killed from outside, if it is. */
type Kill = "before the trial is stored" | "on trial" | "after the trial" | null;

function createModel(killers: readonly (number | null)[]) {
  const runs = killers.map(
    (killsAfter, index): ModelRun => ({ id: `run_${index}`, killsAfter, idle: 0, isOver: false }),
  );
  let stored: CulpritSearch | null = null;
  /** Deaths while each run executed alone, since its last progress. */
  const deathsAlone = new Map<string, number>();
  const open = () => runs.filter(({ isOver }) => !isOver);

  /** @param isMoving Whether innocent runs make progress when they execute. */
  function live(kill: Kill, isMoving: boolean): Life {
    const suspected = open().filter(({ idle }) => idle > 0);
    const { culprit, search } = nextSearch(
      stored,
      suspected.map(({ id }) => id),
    );
    const { tried = [], trial_ms = 0 } = search ?? {};
    const onTrial = suspected.filter(({ id }) => tried.includes(id));
    expect(onTrial).toHaveLength(tried.length);
    expect(tried.includes(culprit ?? "")).toBe(false);
    const ended = runs.find(({ id }) => id === culprit);
    if (ended !== undefined) {
      expect(deathsAlone.get(ended.id) ?? 0).toBeGreaterThanOrEqual(MAX_STRIKES);
      ended.isOver = true;
    }
    for (const run of onTrial) run.idle++;
    if (kill === "before the trial is stored") return { culprit, end: "killed from outside" };
    stored = search;
    if (search !== null) {
      const killed = onTrial.some(({ killsAfter }) => killsAfter !== null && killsAfter < trial_ms);
      if (killed || kill === "on trial") {
        const [alone] = onTrial;
        if (onTrial.length === 1 && alone) deathsAlone.set(alone.id, (deathsAlone.get(alone.id) ?? 0) + 1);
        return { culprit, end: killed ? "killed by a run" : "killed from outside" };
      }
      move(onTrial, isMoving);
      stored = { ...search, isOnTrial: false };
    }
    for (const run of open()) if (!onTrial.includes(run)) run.idle++;
    if (open().some(({ killsAfter }) => killsAfter !== null)) return { culprit, end: "killed by a run" };
    if (kill === "after the trial") return { culprit, end: "killed from outside" };
    move(open(), isMoving);
    return { culprit, end: "lives on" };
  }

  function move(moving: readonly ModelRun[], isMoving: boolean): void {
    for (const run of moving) {
      if (run.killsAfter !== null || !isMoving) continue;
      run.idle = 0;
      deathsAlone.delete(run.id);
    }
  }

  return { live, open };
}

const kills = fc.constantFrom<Kill>("before the trial is stored", "on trial", "after the trial", null);
const searchesUntil = (milliseconds: number) => 1 + Math.max(0, Math.ceil(Math.log2(milliseconds / 2_000)));

describe("the search for the run that kills the process", () => {
  it("fails all culprits and no other run within a bounded number of deaths", () => {
    const killsAfter = fc.constantFrom(0, 300, 1_999, 2_500, 30_000);
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.array(killsAfter, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat()),
        fc.boolean(),
        (innocents, culprits, draws, isMoving) => {
          const runs: (number | null)[] = Array<null>(innocents).fill(null);
          for (const culprit of culprits) runs.splice((draws.next().value ?? 0) % (runs.length + 1), 0, culprit);
          const { live, open } = createModel(runs);
          const slowest = Math.max(...culprits);
          const depth = Math.ceil(Math.log2(runs.length)) + 1;
          const bound = 2 + culprits.length * (searchesUntil(slowest) * depth + MAX_STRIKES);
          let deaths = 1;
          while (live(null, isMoving).end === "killed by a run") {
            deaths++;
            expect(deaths).toBeLessThanOrEqual(bound);
          }
          expect(open()).toHaveLength(innocents);
        },
      ),
    );
  });

  it("fails only runs that executed alone at enough deaths, even with kills from outside", () => {
    const moments = fc.array(fc.record({ kill: kills, isMoving: fc.boolean() }), { maxLength: 100 });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(null, null, null, 0, 5_000), { maxLength: 12 }),
        moments,
        (runs, schedule) => {
          const { live } = createModel(runs);
          // The model itself checks the deaths of each culprit run.
          for (const { kill, isMoving } of schedule) live(kill, isMoving);
        },
      ),
    );
  });

  it("counts a death once when the next process dies before it stores anything", () => {
    const before: CulpritSearch = { suspects: ["a"], tried: ["a"], isOnTrial: true, strikes: 1, trial_ms: 2_000 };
    expect(nextSearch(before, ["a"]).search?.strikes).toBe(2);
    expect(nextSearch(before, ["a"]).search?.strikes).toBe(2);
  });

  it("limits a trial to one minute", () => {
    let search = nextSearch(null, ["a", "b", "c"]).search;
    for (let start = 0; start < 50; start++) {
      search = nextSearch(search === null ? null : { ...search, isOnTrial: false }, ["a", "b", "c"]).search;
      expect(search?.trial_ms).toBeLessThanOrEqual(60_000);
    }
    expect(search?.trial_ms).toBe(60_000);
  });
});
