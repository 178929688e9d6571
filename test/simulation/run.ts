/** Simulates many seeds and prints those that fail; see `USAGE` in arguments.ts. */
import { type Arguments, readArguments, USAGE } from "./arguments.ts";
import { planOf } from "./plan.ts";
import { argumentsOf, shrink } from "./shrink.ts";
import { type Outcome, simulate } from "./simulate.ts";

/** Failures of one kind that are printed with their trace. */
const EXAMPLES = 3;

function argumentsGiven(): Arguments {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { first, count, isTraced, plan: options } = argumentsGiven();
/** Seeds by the invariant that they break. */
const failures = new Map<string, number[]>();

async function report(seed: number, { violation, trace }: Outcome): Promise<void> {
  if (violation === null) return;
  const { invariant, message } = violation;
  const seeds = failures.get(invariant) ?? [];
  failures.set(invariant, [...seeds, seed]);
  if (seeds.length >= EXAMPLES) return;
  const { storage, ingredients, clients } = planOf(seed, options);
  console.log(`\nseed=${seed} breaks "${invariant}" (${storage}, clients: ${clients}, ${[...ingredients].join(", ")})`);
  if (!isTraced) console.log(trace.join("\n"));
  console.log(`  ${message}`);
  console.log(`  npm run simulate -- ${argumentsOf(seed, await shrink(seed, options, invariant))}`);
}

const begun = performance.now();
let runs = 0;
let time = 0;
for (let seed = first; seed < first + count; seed++) {
  const outcome = await simulate(planOf(seed, options), isTraced ? (line) => console.log(line) : undefined);
  runs += outcome.runs;
  time += outcome.time;
  await report(seed, outcome);
}

const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
console.log(`\n${count} seeds, ${runs} runs, ${Math.round(time / 3_600_000)} h of virtual time in ${seconds} s.`);
for (const [invariant, seeds] of failures) {
  console.log(`${invariant}: ${seeds.length} seeds, such as ${seeds.slice(0, 10).join(", ")}`);
}
process.exit(failures.size === 0 ? 0 : 1);
