/** Processes whose store answers late: what they have sent takes effect, but they go on without knowing it. */
import { afterEach, describe, expect, it } from "vitest";
import { type Act, act, deploy, openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";

let processes: Processes;
afterEach(() => processes.close());

/** Steps that take a second, with what was called of each run. */
function open() {
  const calls = new Map<string, string[]>();
  const run: Act = async (_, given, _signal, runId) => {
    calls.set(runId, [...(calls.get(runId) ?? []), given]);
    await new Promise<void>((resolve) => processes.clock.after(1_000, resolve));
    return given;
  };
  processes = openProcesses(run);
  return calls;
}

const STEPS = [act("a", "a", "b"), act("b", "b", "c"), act("c", "c")];

function createRuns({ stepwell }: Process, app: string, workflow: string, count: number) {
  return Promise.all(Array.from({ length: count }, () => stepwell.runs.create(app, workflow, {})));
}

async function haveEnded({ stepwell }: Process, app: string, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) if ((await stepwell.runs.get(app, id)).status !== "succeeded") return false;
  return true;
}

/** Whatever is repeated, a step is called last before the next one is called first. */
function expectOrder(calls: ReadonlyMap<string, readonly string[]>): void {
  for (const called of calls.values()) expect(called.join("")).toMatch(/^a+b+c+$/);
}

describe("when the store answers all processes late", () => {
  const limited = { concurrentRunsPerApp: 4, concurrentRunsPerWorkflow: 3 };
  it.each([
    ["without limits", {}, 200],
    ["without limits", {}, 1_400],
    ["without limits", {}, 2_600],
    ["with limits", limited, 200],
    ["with limits", limited, 1_400],
    ["with limits", limited, 2_600],
  ] as const)("all runs end, and none repeats a step of which it knew the outcome, %s", async (_, limits, after) => {
    const calls = open();
    const web = await processes.start("web", { work: false, limits });
    const workers = [await processes.start("one", { concurrency: 3, limits })];
    workers.push(await processes.start("two", { concurrency: 3, limits }));
    const { app, workflow } = await deploy(web, STEPS);
    const runs = await createRuns(web, app, workflow, 12);
    for (const seconds of [9, 10.5, 11, 11.9]) {
      await processes.clock.advance(`${after}ms`);
      for (const one of [web, ...workers]) one.holdAnswers();
      await processes.clock.advance(`${seconds * 1_000}ms`);
      for (const one of [web, ...workers]) one.resume();
    }
    await processes.until(() =>
      haveEnded(
        web,
        app,
        runs.map(({ id }) => id),
      ),
    );
    expectOrder(calls);
  });
});

describe("a worker that hears nothing from the store for so long that others take over", () => {
  it.each([0, 300, 900, 1_500, 2_100, 2_700])("leaves no run behind (after %i ms)", async (after) => {
    const calls = open();
    const web = await processes.start("web", { work: false });
    const one = await processes.start("one", { concurrency: 3 });
    await processes.start("two", { concurrency: 3 });
    const { app, workflow } = await deploy(web, STEPS);
    const runs = await createRuns(web, app, workflow, 9);
    await processes.clock.advance(`${after}ms`);
    one.holdAnswers();
    // The runs that it has are taken over, others come, and their jobs are given to it, too.
    await processes.clock.advance("14s");
    runs.push(...(await createRuns(web, app, workflow, 9)));
    await processes.clock.advance("3s");
    one.resume();
    await processes.until(() =>
      haveEnded(
        web,
        app,
        runs.map(({ id }) => id),
      ),
    );
    expectOrder(calls);
  });
});

describe("an outcome that its worker stores while another one takes the run over", () => {
  it("is not lost", async () => {
    const calls: string[] = [];
    let finish = () => {};
    processes = openProcesses(async (name, given) => {
      calls.push(`${name} ${given}`);
      // The first call ends when it is told to, the second one never.
      if (calls.length > 2) return given;
      await new Promise<void>((resolve) => {
        if (calls.length === 1) finish = resolve;
      });
      return given;
    });
    const one = await processes.start("one");
    const { app, workflow } = await deploy(one, STEPS);
    const { id } = await one.stepwell.runs.create(app, workflow, {});
    await processes.until(() => calls.length === 1);
    one.pause();
    finish();
    let isLate = true;
    const two = await processes.start("two", {
      async beforeCommit(changes) {
        if (!isLate || !changes.some(({ key }) => key === `run:${id}`)) return;
        isLate = false;
        // It has read the journal. What the other worker has sent arrives now.
        one.resume();
        const isStored = () =>
          processes.documents().some((json) => json.includes('"entries":[{') && json.includes('"a"'));
        while (!isStored()) await undefined;
      },
    });
    await processes.until(async () => !isLate && (await two.stepwell.runs.get(app, id)).status === "succeeded");
    expect(calls.filter((call) => call.endsWith("a"))).toEqual(["one a"]);
  });
});
