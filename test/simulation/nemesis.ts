/** What goes wrong around the processes: kills, stops, handovers, and storage that does not answer. */
import type { Ingredient } from "./plan.ts";
import type { World } from "./world.ts";

/** Milliseconds between two blows. */
const PAUSE = [200, 8_000] as const;

export interface Nemesis {
  /** Does harm until this moment. Afterwards everything works, and one process is left. */
  act(until: number): Promise<void>;
}

export function createNemesis(world: World): Nemesis {
  const { plan, timeline, weather, processes, disk } = world;
  const random = world.random.fork();
  const under: Promise<void>[] = [];

  async function crash(): Promise<void> {
    world.current().crash("killed");
  }

  /** A rolling restart begins with the new process; where nothing keeps two owners apart, the old one ends first. */
  async function restart(): Promise<void> {
    const old = world.current();
    const isOverlapping = disk.kind !== "plain" && random.chance(0.6);
    if (!isOverlapping) await old.close();
    if (world.current() !== old) return;
    world.start();
    await timeline.sleep(random.between(0, 15_000));
    if (isOverlapping) await old.close();
  }

  /** The old owner is held up somewhere, taken for dead, and goes on later: only where storage can tell the two apart. */
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
    weather.faultRate = random.pick([0.01, 0.05, 0.2]);
    await timeline.sleep(random.between(100, 10_000));
    weather.faultRate = 0;
  }

  async function outage(): Promise<void> {
    weather.isDown = true;
    await timeline.sleep(random.between(10, 20_000));
    weather.isDown = false;
  }

  const blows: Partial<Record<Ingredient, () => Promise<void>>> = {
    crashes: crash,
    restarts: restart,
    takeovers: takeOver,
    pauses: pause,
    faults,
    outages: outage,
  };
  const enabled = Object.entries(blows).flatMap(([name, blow]) =>
    [...plan.ingredients].some((one) => one === name) ? [{ name, blow }] : [],
  );

  return {
    async act(until) {
      while (enabled.length > 0 && timeline.now < until) {
        await timeline.sleep(random.between(...PAUSE));
        const { name, blow } = random.pick(enabled);
        world.log(`${name}!`);
        under.push(blow());
      }
      await timeline.sleep(until - timeline.now);
      await Promise.all(under);
      weather.faultRate = 0;
      weather.isDown = false;
      for (const process of processes) process.continue();
      for (const process of [...processes]) if (process !== world.current()) await process.close();
      if (world.current().state === "dead") world.start();
    },
  };
}
