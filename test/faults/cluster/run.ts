/**
 * Kills, stops and closes workers of a cluster under load, with each store: `npm run cluster-matrix -- [runs] [losses] [which]`;
 * `which` is a pattern such as `redis|kill`.
 */
import { startPostgres } from "../../support/servers/postgres.ts";
import { startRedis } from "../../support/servers/redis.ts";
import { survive, type Trouble } from "./survive.ts";

const [, , runs = "500", losses = "50", which = ""] = process.argv;
const [redis, postgres] = await Promise.all([startRedis(["--maxmemory-policy", "noeviction"]), startPostgres()]);
const stores = { redis: redis.url, postgres: postgres.url };
const ways: Readonly<Record<string, Trouble["how"]>> = {
  kill: ["kill"],
  close: ["close"],
  stop: ["stop"],
  all: ["kill", "close", "stop"],
};
let failures = 0;
try {
  for (const [store, url] of Object.entries(stores)) {
    for (const [name, how] of Object.entries(ways)) {
      const title = `${store} ${name}`;
      if (!new RegExp(which).test(title)) continue;
      const prefix = `m${process.pid}${store}${name}`;
      const trouble = {
        store: url,
        redis: redis.url,
        prefix,
        workers: 3,
        runs: Number(runs),
        losses: Number(losses),
        followers: 50,
        how,
      };
      try {
        const { calls, repeated, milliseconds } = await survive(trouble);
        console.log(
          `${title}: ${runs} runs, ${losses} losses, ${calls} calls, ${repeated} repeated, ${Math.round(milliseconds / 1_000)} s`,
        );
      } catch (error) {
        failures++;
        console.error(`${title}: FAILED`, error);
      }
    }
  }
} finally {
  await Promise.all([redis.close(), postgres.close()]);
}
process.exitCode = failures === 0 ? 0 : 1;
