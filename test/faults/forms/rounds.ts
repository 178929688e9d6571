/** Kills processes to which people submit forms, starts others, and compares what is stored with the responses. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Run, repairStorage, type Step } from "../../../src/index.ts";
import { isRecord, type JsonValue } from "../../../src/json.ts";
import { createRandom } from "../../simulation/random.ts";
import { input, note, openService, type Service, silent, step } from "../../support/engine/service.ts";
import { until } from "../../support/until.ts";
import { startChild } from "../child.ts";
import { type Attempt, createPeople, type Form } from "./people.ts";
import { ORIGIN, storageAt } from "./storage.ts";

export interface Rounds {
  readonly seed: number;
  readonly kills: number;
  /** The number of links, each to a run that waits. */
  readonly links: number;
  /** The number of runs that people start with a form. */
  readonly starts: number;
  /** How each process dies: after a number of received submissions, or after milliseconds. */
  readonly dies: "after submissions" | "after milliseconds";
}

export interface Figures {
  readonly kills: number;
  readonly requests: number;
  readonly received: number;
  readonly lost: number;
}

const PEOPLE = 8;
const MAX_SUBMISSIONS = 12;
const MAX_MS = 400;
const HOST = join(import.meta.dirname, "host.ts");
const FIELDS = { n: { type: "number" }, doc: { type: "file" } } as const;

/** @throws AssertionError when a submission was lost, or counted twice, or left anything behind */
export async function submitDuringKills({ seed, kills, links, starts, dies }: Rounds): Promise<Figures> {
  const base = await mkdtemp(join(tmpdir(), "stepwell-forms-"));
  const random = createRandom(seed);
  const { app, forms, start } = await prepare(base, links);
  const problems: string[] = [];
  const people = createPeople(forms, start, starts, random, (what) => problems.push(what));
  for (let killed = 0; killed <= kills; killed++) {
    const child = await startChild(HOST, [base]);
    const isOrigin = (line: string) => line.startsWith("http");
    await child.line(isOrigin);
    const submitted = people.submit(child.lines.find(isOrigin) ?? "", PEOPLE);
    const enough = people.received + random.whole(1, MAX_SUBMISSIONS);
    const after = random.between(0, MAX_MS);
    // The last one ends its work.
    if (killed === kills) await submitted;
    else if (dies === "after submissions")
      await Promise.race([until(() => people.received >= enough || people.isDone), submitted]);
    else await Promise.race([pause(after), submitted]);
    await child.kill();
    await submitted;
  }
  assert.deepEqual(problems, [], "every form was accepted");
  const stored = await openService({ storage: storageAt(base), baseUrl: ORIGIN }, app);
  await compare(stored, forms, start, starts);
  await stored.stepwell.close();
  await checkStored(base);
  await rm(base, { recursive: true });
  const attempts = [start, ...forms].flatMap((form) => form.attempts);
  const count = (result: Attempt["result"]) => attempts.filter((attempt) => attempt.result === result).length;
  return { kills, requests: attempts.length, received: count("received"), lost: count("lost") };
}

async function prepare(base: string, links: number) {
  const { stepwell, app, deploy, until } = await openService({ storage: storageAt(base), baseUrl: ORIGIN });
  const asks = await deploy([input("in"), input("ask", { input: FIELDS }), note("end")]);
  const forms: Form[] = [];
  for (let link = 0; link < links; link++) {
    const run = await stepwell.runs.create(app, asks);
    await until(run.id, ({ status }) => status === "waiting");
    const { url } = await stepwell.inputs.createLink(app, run.id, "ask");
    forms.push({ url, run: run.id, attempts: [] });
  }
  const webhook = { method: "POST", path: "leads", form: true } as const;
  await deploy([{ ...input("in", { input: FIELDS }), webhook } as Step, note("end")]); // an input step
  await stepwell.close();
  return { app, forms, start: { url: `${ORIGIN}/public/apps/hooks/${app}/leads`, attempts: [] } satisfies Form };
}

async function compare(service: Service, links: readonly Form[], start: Form, starts: number): Promise<void> {
  const { stepwell, app } = service;
  const used = new Set<string>();

  /** The given values are those of an attempt, with its file. */
  async function check(values: JsonValue, { attempts }: Form): Promise<Attempt> {
    const given = isRecord(values) ? values : {};
    const attempt = attempts.find(({ n }) => n === given["n"]);
    assert.ok(attempt !== undefined, `${JSON.stringify(values)} was never submitted`);
    const [file] = Array.isArray(given["doc"]) ? given["doc"] : [];
    assert.ok(isRecord(file), "the file is missing");
    const id = String(file["id"]);
    assert.ok(!used.has(id), "two submissions have one file");
    used.add(id);
    const { sha256 } = await stepwell.files.get(app, id);
    assert.equal(sha256, attempt.sha256);
    const { body } = await stepwell.files.content(app, id);
    assert.equal((await new Response(body).arrayBuffer()).byteLength, file["size"]);
    return attempt;
  }

  for (const link of links) {
    const received = link.attempts.filter(({ result }) => result === "received");
    assert.ok(received.length <= 1, `a link was used twice: ${JSON.stringify(received)}`);
    const run = await service.wait(link.run ?? "");
    assert.equal(run.status, "succeeded");
    const attempt = await check(step(run, "ask").output, link);
    if (received.length === 1) assert.equal(attempt, received[0], "an acknowledged answer was replaced");
    else assert.equal(attempt.result, "lost");
    const again = await stepwell.fetch(new Request(link.url, { headers: { accept: "text/html" } }));
    assert.equal(again.status, 409, "the link is used up");
  }

  const runs = await allRuns(service);
  const started = runs.filter(({ trigger }) => trigger.type === "form");
  const attempts: Attempt[] = [];
  for (const { id } of started) {
    const run = await service.wait(id);
    assert.equal(run.status, "succeeded");
    attempts.push(await check(step(run, "in").output, start));
  }
  assert.equal(new Set(attempts).size, attempts.length, "a form started two runs");
  const received = start.attempts.filter(({ result }) => result === "received");
  assert.deepEqual(
    received.filter((attempt) => !attempts.includes(attempt)),
    [],
    "acknowledged, and lost",
  );
  assert.ok(attempts.every(({ result }) => result === "received" || result === "lost"));
  assert.ok(received.length >= starts);
  assert.equal(runs.length, links.length + started.length);
  await checkFiles(
    service,
    used,
    [start, ...links].flatMap((form) => form.attempts),
  );
}

async function allRuns({ stepwell, app }: Service): Promise<readonly Run[]> {
  const listed = await stepwell.runs.list(app, { take: 1_000 });
  assert.equal(listed.items.length, listed.total);
  return Promise.all(listed.items.map(({ id }) => stepwell.runs.get(app, id)));
}

/** A kill after a file was stored, and before the form, leaves the file. Nothing else may be left. */
async function checkFiles({ stepwell, app }: Service, used: ReadonlySet<string>, attempts: readonly Attempt[]) {
  const { items, total } = await stepwell.files.list(app, { take: 1_000 });
  assert.equal(items.length, total);
  const lost = attempts.flatMap(({ result, sha256 }) => (result === "lost" ? sha256 : []));
  for (const { id, sha256 } of items.filter(({ id }) => !used.has(id)))
    assert.ok(lost.includes(sha256), `${id} belongs to no run, and its form got a response`);
}

/** No bytes without a file are left, and nothing is damaged. */
async function checkStored(base: string): Promise<void> {
  const { entities: driver } = storageAt(base);
  const { checked: _, ...wrong } = await repairStorage({ driver, logger: silent, isDryRun: true });
  await driver.dispose?.();
  assert.deepEqual(wrong, { damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [], losses: [] });
}
