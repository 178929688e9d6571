/** An app as it looks after some days of work: workflows, runs in every status, records, files, waits, schedules. */
import type { InputDefinition, Step } from "../../../src/index.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import type { Settings } from "../../../src/workflows/settings.ts";
import { until } from "../../support/until.ts";
import type { ConsoleServer } from "./console-server.ts";

const HOUR_MS = 3_600_000;

/** The clock of the machine, set back at first, so that seeded runs are spread over a day. */
export function createSeedClock(): Clock & { setBack(milliseconds: number): void } {
  let back = 24 * HOUR_MS;
  return {
    ...systemClock,
    now: () => systemClock.now() - back,
    // Timers measure elapsed time, so that setting the clock forward fires none early.
    at: (moment, callback) => systemClock.after(Math.max(0, moment - (systemClock.now() - back)), callback),
    setBack(milliseconds) {
      back = milliseconds;
    },
  };
}

export type SeedClock = ReturnType<typeof createSeedClock>;

export interface SeedSizes {
  /** Runs of which most have succeeded. @default 300 */
  readonly runs?: number;
  /** @default 40 */
  readonly workflows?: number;
  /** @default 200 */
  readonly records?: number;
}

const to = (...destinations: string[]) => ({ destinations });
const start = (more: Partial<Step> & { input?: InputDefinition } = {}): Step =>
  ({ type: "input", key: "start", input: { n: { type: "number", name: "Number", optional: true } }, ...more }) as Step; // an input step

/** Ends at once. A name with marks of another direction and with HTML must be shown as text. */
const QUICK: readonly Step[] = [start()];
/** Fails at once, without a sandbox. */
const FAILING: readonly Step[] = [
  start(to("check")),
  {
    type: "branch",
    key: "check",
    conditions: { large: { condition: "input.missing.n > 3", destinations: [], order: 1 } },
  },
];
const ASKING: readonly Step[] = [
  start(to("approve")),
  { type: "input", key: "approve", input: { ok: { type: "boolean", name: "Approve" } } },
];
/** One of its iterations fails. */
const LOOPING: readonly Step[] = [
  start(to("each")),
  {
    type: "code",
    key: "each",
    for_each: { items: "[1, 2, 3, 4, 5]" },
    code: "if (item === 3) throw new Error('Item 3 is not valid.'); return item * 2;",
  },
];

/** Runs until the server releases it. */
const HELD: readonly Step[] = [
  start(to("hold")),
  { type: "service", key: "hold", service: { service: "tests", action: "hold", input: {} }, timeout: 86_400 },
];

export const HOSTILE_NAME = `<img src=x onerror=alert(1)> \u202Egnp.exe\u202C & "quoted"`;

export async function seed({ stepwell, app }: ConsoleServer, clock: SeedClock, sizes: SeedSizes = {}) {
  const { runs = 300, workflows = 40, records = 200 } = sizes;

  async function deploy(name: string, steps: readonly Step[], settings: Settings = {}): Promise<string> {
    const { id } = await stepwell.workflows.create(app.id, { name, steps: [...steps], settings });
    await stepwell.workflows.deploy(app.id, id);
    return id;
  }

  const quick = await deploy("Intake", QUICK);
  const failing = await deploy("Credit check", FAILING);
  const asking = await deploy("Approve loan", ASKING);
  const looping = await deploy("Nightly batch", LOOPING);
  const held = await deploy("Import from bank", HELD, { concurrency: { limit: 2 } });
  const hostile = await deploy(HOSTILE_NAME, QUICK);
  const large = await deploy("Large workflow", largeSteps(200));
  for (let n = 7; n < workflows; n++) await deploy(`Report ${n + 1}`, QUICK);

  /** Spread over the day before. */
  async function fill(): Promise<void> {
    const hours = 24;
    for (let hour = 0; hour < hours; hour++) {
      clock.setBack((hours - hour) * HOUR_MS - HOUR_MS / 2);
      const before = Math.floor((hour * runs) / hours);
      const here = Math.floor(((hour + 1) * runs) / hours) - before;
      await Promise.all(
        Array.from({ length: here }, (_, n) =>
          stepwell.runs.create(app.id, (before + n) % 10 === 9 ? failing : quick, {
            input: { n },
            tags: [`hour-${hour}`],
          }),
        ),
      );
    }
    clock.setBack(0);
  }

  await fill();
  const { id: hostileRun } = await stepwell.runs.create(app.id, hostile, { tags: ["<b>bold</b>"] });
  const loopRun = await stepwell.runs.create(app.id, looping, {});
  for (let n = 0; n < 4; n++) await stepwell.runs.create(app.id, held, {});
  const waits = await Promise.all([1, 2, 3, 4].map(() => stepwell.runs.create(app.id, asking, {})));
  await until(async () => (await stepwell.inputs.list(app.id)).items.length === waits.length);
  await stepwell.runs.cancel(app.id, waits[3]?.id ?? "");
  await stepwell.runs.wait(app.id, loopRun.id);

  const collection = await stepwell.collections.create(app.id, { name: "Loans", config: { indexes: ["loan:number"] } });
  const rows = Array.from({ length: records }, (_, n) => `A-${n},${1_000 + n * 10},Customer ${n}`);
  const csv = `loan:number,loan:amount,customer:name\n${rows.join("\n")}\n`;
  const { id: job } = await stepwell.records.import(app.id, collection.id, csv);
  await stepwell.jobs.wait(app.id, job);
  await stepwell.files.create(app.id, { name: "offer.txt", body: new TextEncoder().encode("An offer of 1,200 EUR") });
  await stepwell.schedules.create(app.id, { workflow_id: quick, name: "Daily report", cron: "0 9 * * *" });
  // Two are held, two wait for them.
  await until(async () => (await stepwell.runs.list(app.id, { status: ["queued", "running"] })).items.length === 4);
  return {
    quick,
    failing,
    asking,
    looping,
    held,
    hostile,
    large,
    hostileRun,
    loopRun: loopRun.id,
    collection: collection.id,
  };
}

export type Seeded = Awaited<ReturnType<typeof seed>>;

/** Steps in rows of ten, of which each row begins with a branch. */
export function largeSteps(count: number): readonly Step[] {
  const keyOf = (n: number) => `step_${n}`;
  const rest = Array.from({ length: count - 1 }, (_, n): Step => {
    const next = n + 1 < count - 1 ? [keyOf(n + 1)] : [];
    const beyond = n + 5 < count - 1 ? [keyOf(n + 5)] : [];
    if (n % 10 !== 0) return { type: "code", key: keyOf(n), code: `return ${n};`, destinations: next };
    const conditions = { small: { condition: "input.n < 10", destinations: next, order: 1 } };
    return { type: "branch", key: keyOf(n), conditions, else: beyond };
  });
  return [start(to(keyOf(0))), ...rest];
}
