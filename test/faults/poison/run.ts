/**
 * Random rounds of runs that kill their process and of kills from outside:
 * `npm run poison-rounds -- [rounds] [seed]`. Fails when an innocent run fails, or a culprit does not fail in time.
 */
import { boundOf, culprit, innocents, survive } from "./survive.ts";

const [, , howMany = "100", seeded = String(Date.now() % 1_000_000)] = process.argv;
const rounds = Number(howMany);
let state = Number(seeded);
/** Park and Miller: the same rounds for the same seed. */
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

const total = { runs: 0, starts: 0, culprits: 0, ended: 0, innocentsFailed: 0, late: 0 };
console.log(`seed ${seeded}`);
for (let round = 1; round <= rounds; round++) {
  const isFromOutside = round % 2 === 0;
  const before = Math.floor(random() * 21);
  const culprits = isFromOutside ? [] : [culprit(random() < 0.5 ? 0 : Math.floor(random() * 1_000))];
  const runs = [...innocents(before), ...culprits, ...innocents(20 - before)];
  const kills = isFromOutside ? Array.from({ length: 7 }, () => random() * 500) : [];
  const { starts, report } = await survive(runs, kills);
  const late = !isFromOutside && starts > boundOf(runs.length);
  const failed = report.filter(({ isCulprit, status }) => !isCulprit && status !== "succeeded").length;
  total.runs += report.length;
  total.starts += starts;
  total.culprits += culprits.length;
  total.ended += report.filter(({ isCulprit, code }) => isCulprit && code === "poison_run").length;
  total.innocentsFailed += failed;
  if (late) total.late++;
  if (failed > 0 || late) console.log(`round ${round}: ${starts} starts, ${failed} innocent runs failed`);
}
console.log(JSON.stringify(total));
process.exit(total.innocentsFailed === 0 && total.late === 0 && total.ended === total.culprits ? 0 : 1);
