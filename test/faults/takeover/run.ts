/**
 * The whole takeover matrix: an owner is stopped before or after each call of its driver, and replaced.
 * `npm run takeover-matrix -- [driver] [step] [first]`; a step of 10 takes every tenth call, from the given one on.
 */
import { startRedis } from "../../support/servers/redis.ts";
import { takeOver, WHOLE } from "./scenario.ts";
import { DRIVERS, openSharedStorage } from "./storages.ts";

const [, , wanted = "", stepGiven = "1", firstGiven = "1"] = process.argv;
const step = Number(stepGiven);
const drivers = DRIVERS.filter((name) => wanted === "" || wanted === "all" || name === wanted);
const server = drivers.includes("redis") ? await startRedis() : null;
let failures = 0;

for (const name of drivers) {
  const begun = performance.now();
  let takeovers = 0;

  async function attempt(at: number, moment: "before" | "after"): Promise<number> {
    const storage = await openSharedStorage(name, server?.url ?? "");
    const { calls, violations } = await takeOver(storage, at, moment, WHOLE);
    await storage.clean();
    takeovers++;
    if (violations.length > 0) {
      failures++;
      console.error(
        `FAILED ${name}, stopped ${moment} call ${at}: ${violations.length}\n  ${violations.slice(0, 5).join("\n  ")}`,
      );
    }
    return calls;
  }

  const calls = await attempt(0, "before");
  for (let at = Number(firstGiven); at <= calls; at += step) {
    await attempt(at, "before");
    await attempt(at, "after");
    if (takeovers % 200 === 1) console.log(`${name}: call ${at} of ${calls}, ${failures} failures`);
  }
  const seconds = Math.round((performance.now() - begun) / 1_000);
  console.log(`${name}: ${calls} calls, ${takeovers} takeovers in ${seconds} s, ${failures} failures so far`);
}

await server?.close();
process.exitCode = failures > 0 ? 1 : 0;
