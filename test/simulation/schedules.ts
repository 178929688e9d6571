/** Schedules that fire during faults: each due time starts one run, however late. */
import type { Run } from "../../src/index.ts";
import type { Workflows, World } from "./world.ts";

export interface SchedulesOfSimulation {
  /** Waits until missed runs are caught up, then pauses all schedules. */
  pause(): Promise<void>;
  check(runs: readonly Run[]): void;
}

interface Known {
  readonly id: string;
  readonly name: string;
  readonly every: number;
  /** Milliseconds since 1970. */
  readonly from: number;
  last: number;
}

/** The time within which schedules catch up after the last fault. */
const CATCH_UP_MS = 600_000;
/** How late the last run may be, in addition to one interval. */
const MAX_LATENESS_MS = 60_000;

export async function startSchedules(world: World, { app, scheduled }: Workflows): Promise<SchedulesOfSimulation> {
  const { model, plan, timeline } = world;
  const random = world.random.fork();
  const count = plan.ingredients.has("schedules") ? random.whole(1, 3) : 0;
  const schedules: Known[] = [];
  for (let index = 0; index < count; index++) {
    const { name, behavior } = model.request(`schedule-${index}`, "ok");
    const every = random.whole(10, 40);
    const created = await world
      .current()
      .call((stepwell) =>
        stepwell.schedules.create(app, { workflow_id: scheduled, every, missed: "all", input: { name, behavior } }),
      );
    schedules.push({ id: created.id, name, every: every * 1_000, from: Date.parse(created.created_at), last: 0 });
  }

  return {
    async pause() {
      if (schedules.length > 0) await timeline.sleep(CATCH_UP_MS);
      for (const schedule of schedules) {
        const { last, updated_at } = await world
          .current()
          .call((stepwell) => stepwell.schedules.update(app, schedule.id, { paused: true }));
        schedule.last = last === null ? schedule.from : Date.parse(last.at);
        const behind = Date.parse(updated_at) - schedule.last;
        if (behind <= MAX_LATENESS_MS + schedule.every) continue;
        model.violate("schedules-fire", `${schedule.name} fired for the last time ${behind} ms ago.`);
      }
    },

    check(runs) {
      for (const { name, every, from, last } of schedules) {
        const fired = runs.filter(({ input }) => input["name"] === name).length;
        const due = Math.floor((last - from) / every);
        if (fired !== due)
          model.violate("schedules-fire-once", `${name} was due ${due} times and started ${fired} runs.`);
      }
    },
  };
}
