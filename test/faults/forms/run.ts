/**
 * kill -9 at random moments while people submit forms over HTTP: `npm run form-rounds -- [rounds] [seed]`. In each round,
 * ten processes die.
 */
import { submitDuringKills } from "./rounds.ts";

const [, , howMany = "20", seeded = String(Date.now() % 1_000_000)] = process.argv;
const [rounds, seed] = [Number(howMany), Number(seeded)];
const SIZE = { kills: 10, links: 60, starts: 60, dies: "after milliseconds" } as const;

const begun = performance.now();
const total = { kills: 0, requests: 0, received: 0, lost: 0 };
let failures = 0;
for (let round = 0; round < rounds; round++) {
  try {
    const figures = await submitDuringKills({ seed: seed + round, ...SIZE });
    total.kills += figures.kills;
    total.requests += figures.requests;
    total.received += figures.received;
    total.lost += figures.lost;
  } catch (error) {
    failures++;
    console.error(`FAILED with seed ${seed + round}\n${error instanceof Error ? error.stack : error}\n`);
  }
}
const seconds = Math.round((performance.now() - begun) / 1_000);
console.log(
  `${rounds} rounds from seed ${seed}, ${total.kills} processes killed, ${total.requests} requests, ` +
    `${total.received} received, ${total.lost} without a response, ${failures} failures, ${seconds} s`,
);
process.exitCode = failures === 0 ? 0 : 1;
