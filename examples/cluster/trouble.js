// Kills, closes and replaces one process after the other.
import { setTimeout } from "node:timers/promises";

const TROUBLES = [
  { how: "kill", role: "worker" },
  { how: "close", role: "worker" },
  { how: "kill", role: "web" },
  { how: "close", role: "web" },
];
const LONGEST_PAUSE_MS = 8_000;

/**
 * Goes on for the given time, but makes each trouble at least once.
 * @param say Called with what happens.
 * @returns A promise for each takeover: others have called all steps again that a worker left behind.
 */
export async function makeTrouble({ processes, shop, seconds, signal, say }) {
  const until = performance.now() + seconds * 1_000;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, (seconds * 1_000) / TROUBLES.length);
  const takeovers = [];

  async function kill(victim) {
    const since = performance.now();
    await processes.kill(victim);
    const { count, done } = await shop.takeoverFrom(victim.name, since);
    say(`${victim.name} was killed${victim.role === "worker" ? `; interrupted steps: ${count}` : ""}`);
    if (count > 0) takeovers.push(done.then((seconds) => sayTakeover(victim, seconds)));
    const next = await processes.start(victim.role);
    say(`${next.name} replaces ${victim.name}`);
  }

  function sayTakeover({ name }, seconds) {
    const [first, last] = [Math.min(...seconds), Math.max(...seconds)].map((value) => value.toFixed(1));
    say(`others execute the interrupted steps of ${name}, after ${first} to ${last} s`);
  }

  /** A rolling deploy: the new process first, then SIGTERM to the old one. */
  async function close(victim) {
    const next = await processes.start(victim.role);
    say(`${next.name} replaces ${victim.name}, which gets SIGTERM`);
    const since = performance.now();
    await processes.close(victim);
    say(`${victim.name} has closed, after ${((performance.now() - since) / 1_000).toFixed(1)} s`);
  }

  for (let number = 0; number < TROUBLES.length || performance.now() < until; number++) {
    await setTimeout(pauseMs, undefined, { signal });
    const { how, role } = TROUBLES[number % TROUBLES.length];
    const [victim] = processes.up(role);
    await (how === "kill" ? kill(victim) : close(victim));
    victim.replaced = processes.all.at(-1).name;
  }
  return takeovers;
}
