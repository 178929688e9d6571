/** Injects faults: kills, stops, takeovers, and storage failures. */
import type { Ingredient } from "./plan.ts";
import type { World } from "./world.ts";

/** The pause between two faults. */
const PAUSE_MS = [200, 8_000] as const;

export interface Nemesis {
  /** Injects faults until a time. Afterwards everything works, and one process is left. */
  act(until: number): Promise<void>;
}

export function createNemesis(world: World): Nemesis {
  const { plan, timeline, conditions, processes, disk } = world;
  const random = world.random.fork();
  const pending: Promise<void>[] = [];

  async function crash(): Promise<void> {
    world.current().crash("killed");
    if (random.chance(0.1)) disk.forgetOwners();
  }

  /** A rolling restart starts the new process first, except on storage without owners. */
  async function restart(): Promise<void> {
    const old = world.current();
    const isOverlapping = disk.kind !== "plain" && random.chance(0.6);
    if (!isOverlapping) await old.close();
    if (world.current() !== old) return;
    world.start();
    await timeline.sleep(random.between(0, 15_000));
    if (isOverlapping) await old.close();
  }

  /** The old owner is stopped, replaced, and continues later: only on storage with owners. */
  async function takeOver(): Promise<void> {
    if (disk.kind !== "server") return pause();
    const old = world.current();
    old.stop();
    await timeline.sleep(random.between(0, 3_000));
    if (old === world.current()) world.start();
    await timeline.sleep(random.between(0, 20_000));
    old.continue();
    await timeline.sleep(random.between(0, 20_000));
    if (random.chance(0.5)) old.crash("killed after it was replaced");
    else await old.close();
  }

  async function pause(): Promise<void> {
    const process = world.current();
    process.stop();
    await timeline.sleep(random.between(10, 40_000));
    process.continue();
  }

  async function faults(): Promise<void> {
    conditions.faultRate = random.pick([0.01, 0.05, 0.2]);
    await timeline.sleep(random.between(100, 10_000));
    conditions.faultRate = 0;
  }

  async function outage(): Promise<void> {
    conditions.isDown = true;
    await timeline.sleep(random.between(10, 20_000));
    conditions.isDown = false;
  }

  async function slowness(): Promise<void> {
    conditions.slowness = random.pick([100, 2_000, 25_000, 25_000]);
    await timeline.sleep(random.between(1_000, 30_000));
    conditions.slowness = 0;
  }

  const faultsByName: Partial<Record<Ingredient, () => Promise<void>>> = {
    crashes: crash,
    restarts: restart,
    takeovers: takeOver,
    pauses: pause,
    faults,
    outages: outage,
    slowness,
  };
  const enabled = Object.entries(faultsByName).flatMap(([name, inject]) =>
    [...plan.ingredients].some((one) => one === name) ? [{ name, inject }] : [],
  );

  return {
    async act(until) {
      while (enabled.length > 0 && timeline.now < until) {
        await timeline.sleep(random.between(...PAUSE_MS));
        const { name, inject } = random.pick(enabled);
        world.log(`${name}!`);
        pending.push(inject());
      }
      await timeline.sleep(until - timeline.now);
      await Promise.all(pending);
      conditions.faultRate = 0;
      conditions.isDown = false;
      conditions.slowness = 0;
      for (const process of processes) process.continue();
      for (const process of [...processes]) if (process !== world.current()) await process.close();
      if (world.current().state === "dead") world.start();
    },
  };
}
