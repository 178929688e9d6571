/** Deletions in one process of a cluster while another one begins to use what is deleted. */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { defineService, defineTrigger, type Options, type Step, type Stepwell } from "../../src/index.ts";
import { type Changes, type HeldProcesses, openHeldProcesses } from "../support/cluster/held-processes.ts";
import { ORDERS, race } from "../support/cluster/races.ts";

const credentials = v.object({ password: v.string() });
const mail = defineService({
  name: "mail",
  connection: credentials,
  actions: { send: { input: v.object({ to: v.string() }), output: v.null(), run: () => null } },
});
const crm = defineTrigger({ name: "crm", config: v.object({}), connection: credentials, poll: () => ({ events: [] }) });
const OPTIONS: Partial<Options> = { services: [mail], triggers: [crm] };
const MAPPING = { type: "field", entity_path: "a:b", input_path: ["b"], name: "b" } as const;
const start: Step = { type: "input", key: "start", input: {} };

const opened: HeldProcesses[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((processes) => processes.close()));
});

async function open(): Promise<HeldProcesses> {
  const processes = await openHeldProcesses(OPTIONS);
  opened.push(processes);
  return processes;
}

const uses = (id: string) => (changes: Changes) =>
  changes.some(({ rows = [] }) => rows.some((row) => "put" in row && row.list === `users.${id}`));

const deletes = (id: string) => (changes: Changes) =>
  changes.some((change) => {
    if (!("document" in change) || !change.key.endsWith(`:${id}`)) return false;
    return change.document === null || ("deleted" in change.document && change.document.deleted === true);
  });

const newRun = (changes: Changes) => changes.some(({ key, expected }) => key.startsWith("run:") && expected == null);

interface Used {
  readonly id: string;
  use(stepwell: Stepwell): Promise<unknown>;
  remove(stepwell: Stepwell, force?: boolean): Promise<unknown>;
}

async function workflow({ one }: HeldProcesses, app: string): Promise<string> {
  const { id } = await one.stepwell.workflows.create(app, { name: "Used", steps: [start] });
  await one.stepwell.workflows.deploy(app, id);
  return id;
}

async function parent({ one }: HeldProcesses, app: string, step: Step): Promise<string> {
  return (await one.stepwell.workflows.create(app, { name: "User", steps: [start, step] })).id;
}

const ofWorkflow = async (
  processes: HeldProcesses,
  app: string,
  use: (stepwell: Stepwell, id: string) => Promise<unknown>,
) => {
  const id = await workflow(processes, app);
  const remove = (stepwell: Stepwell, force = false) => stepwell.workflows.remove(app, id, { force });
  return { id, use: (stepwell: Stepwell) => use(stepwell, id), remove };
};

const connect = async ({ one }: HeldProcesses, app: string, service: string) =>
  (await one.stepwell.connections.create(app, { name: "Used", service, credentials: { password: "p" } })).id;

let keys = 0;
const USES: Readonly<Record<string, (processes: HeldProcesses, app: string) => Promise<Used>>> = {
  "a workflow and a schedule of it": (processes, app) =>
    ofWorkflow(processes, app, (stepwell, workflow_id) => stepwell.schedules.create(app, { workflow_id, every: 60 })),

  "a workflow and a new collection with a rule of it": (processes, app) =>
    ofWorkflow(processes, app, (stepwell, workflow_id) =>
      stepwell.collections.create(app, { name: "C", config: { rules: [{ key: "r", name: "R", workflow_id }] } }),
    ),

  "a workflow and a rule of it": async (processes, app) => {
    const { id } = await processes.one.stepwell.collections.create(app, { name: "C" });
    return ofWorkflow(processes, app, (stepwell, workflow_id) =>
      stepwell.rules.create(app, id, { key: `r${keys++}`, name: "R", workflow_id }),
    );
  },

  "a workflow and a step that runs it": async (processes, app) => {
    const used = await workflow(processes, app);
    const user = await parent(processes, app, { type: "workflow", key: "run", workflow_id: used, input: {} });
    return {
      id: used,
      use: (stepwell) => stepwell.workflows.deploy(app, user),
      remove: (stepwell, force = false) => stepwell.workflows.remove(app, used, { force }),
    };
  },

  "a collection and a step that names it": async (processes, app) => {
    const { id } = await processes.one.stepwell.collections.create(app, { name: "C" });
    const service = {
      service: "mail",
      action: "send",
      input: { to: id },
      connection_id: await connect(processes, app, "mail"),
    };
    const user = await parent(processes, app, { type: "service", key: "send", service });
    return {
      id,
      use: (stepwell) => stepwell.workflows.deploy(app, user),
      remove: (stepwell, force = false) => stepwell.collections.remove(app, id, { force }),
    };
  },

  "a connection and a step with it": async (processes, app) => {
    const id = await connect(processes, app, "mail");
    const service = { service: "mail", action: "send", input: { to: "x" }, connection_id: id };
    const user = await parent(processes, app, { type: "service", key: "send", service });
    return {
      id,
      use: (stepwell) => stepwell.workflows.deploy(app, user),
      remove: (stepwell, force = false) => stepwell.connections.remove(app, id, { force }),
    };
  },

  "a connection and a collection with a trigger": async (processes, app) => {
    const id = await connect(processes, app, "crm");
    const trigger = { type: "crm", name: "T", connection_id: id, config: { type: "crm", mappings: [MAPPING] } };
    return {
      id,
      use: (stepwell) => stepwell.collections.create(app, { name: "C", triggers: [trigger] }),
      remove: (stepwell, force = false) => stepwell.connections.remove(app, id, { force }),
    };
  },
};

describe.each(Object.entries(USES))("of %s in two processes", (_, prepare) => {
  it.each(ORDERS)("%s, %s, %s, %s: one is refused", async (...order) => {
    const processes = await open();
    const { one, other } = processes;
    const { id: app } = await one.stepwell.apps.create({ name: "Tests" });
    const { id, use, remove } = await prepare(processes, app);
    const calls = {
      ...{ isUse: uses(id), isDeletion: deletes(id) },
      use: () => use(other.stepwell),
      remove: () => remove(one.stepwell),
    };
    const { used, removed } = await race(processes, order, calls);
    const isUsed = order.indexOf("commit") < order.indexOf("search");
    expect({ used, removed }).toEqual(
      isUsed ? { used: "done", removed: "conflict" } : { used: expect.stringMatching(REFUSED), removed: "done" },
    );
    const users = processes.data.lists.get(`users.${id}`)?.rows.size ?? 0;
    expect(users).toBe(isUsed ? 1 : 0);
    // A refused deletion leaves nothing that would keep users away.
    if (isUsed) await use(other.stepwell).catch((error) => expect(error).toBeUndefined());
  });
});

/** A deletion is noticed by the check, or by the commit. */
const REFUSED = /^(conflict|invalid|not_found)$/;

describe("with force, a deletion in one process pauses the schedule that another one creates", () => {
  it.each(ORDERS)("%s, %s, %s, %s", async (...order) => {
    const processes = await open();
    const { one, other, finish } = processes;
    const { id: app } = await one.stepwell.apps.create({ name: "Tests" });
    const id = await workflow(processes, app);
    const calls = {
      ...{ isUse: uses(id), isDeletion: deletes(id) },
      use: () => other.stepwell.schedules.create(app, { workflow_id: id, every: 60 }),
      remove: () => one.stepwell.workflows.remove(app, id, { force: true }),
    };
    const { used, removed } = await race(processes, order, calls);
    expect(removed).toBe("done");
    expect(used).toMatch(order.indexOf("commit") < order.indexOf("search") ? /^done$/ : REFUSED);
    const listed = await finish(one.stepwell.schedules.list(app));
    const schedules = listed.status === "fulfilled" ? listed.value.items : [];
    expect(schedules.map(({ paused }) => paused)).toEqual(used === "done" ? [true] : []);
  });
});

describe("a run that one process starts of a workflow that another one deletes", () => {
  it.each(ORDERS)("%s, %s, %s, %s: has its version, or is refused", async (...order) => {
    const processes = await open();
    const { one, other, data, until } = processes;
    const { id: app } = await one.stepwell.apps.create({ name: "Tests" });
    const id = await workflow(processes, app);
    const calls = {
      ...{ isUse: newRun, isDeletion: deletes(id) },
      use: () => other.stepwell.runs.create(app, id, {}),
      remove: () => one.stepwell.workflows.remove(app, id),
    };
    const { used, removed } = await race(processes, order, calls);
    expect(removed).toBe("done");
    expect(used).toBe(order.indexOf("commit") < order.indexOf("search") ? "done" : "not_found");
    const count = (kind: string) => [...data.documents.keys()].filter((key) => key.startsWith(`${kind}:`)).length;
    await until(() => count("deleted-workflow") === 0);
    expect([count("run"), count("version")]).toEqual(used === "done" ? [1, 1] : [0, 0]);
  });
});

describe("a run of a draft that one process starts while another one deletes the last one", () => {
  it.each(ORDERS)("%s, %s, %s, %s: has its version", async (...order) => {
    const processes = await open();
    const { one, other, data, finish } = processes;
    const { id: app } = await one.stepwell.apps.create({ name: "Tests" });
    const { id } = await one.stepwell.workflows.create(app, { name: "Draft", steps: [start] });
    const last = await one.stepwell.runs.create(app, id, { version: "draft" });
    await finish(one.stepwell.runs.wait(app, last.id));
    const calls = {
      ...{ isUse: newRun, isDeletion: deletes(last.id) },
      use: () => other.stepwell.runs.create(app, id, { version: "draft" }),
      remove: () => one.stepwell.runs.remove(app, last.id),
    };
    expect(await race(processes, order, calls)).toEqual({ used: "done", removed: "done" });
    const versions = () => [...data.documents.keys()].filter((key) => key.startsWith("version:"));
    expect(versions()).toHaveLength(1);
    const runs = (await one.stepwell.runs.list(app)).items;
    expect(runs).toHaveLength(1);
    await finish(one.stepwell.runs.wait(app, runs[0]?.id ?? ""));
    await one.stepwell.runs.remove(app, runs[0]?.id ?? "");
    expect(versions()).toEqual([]);
  });
});

describe("two runs of a draft that two processes delete at the same time", () => {
  it.each(ORDERS)("%s, %s, %s, %s: leave no version", async (...order) => {
    const processes = await open();
    const { one, other, data, finish } = processes;
    const { id: app } = await one.stepwell.apps.create({ name: "Tests" });
    const { id } = await one.stepwell.workflows.create(app, { name: "Draft", steps: [start] });
    const [first = "", second = ""] = await Promise.all(
      [1, 2].map(async () => {
        const run = await one.stepwell.runs.create(app, id, { version: "draft" });
        await finish(one.stepwell.runs.wait(app, run.id));
        return run.id;
      }),
    );
    const calls = {
      ...{ isUse: deletes(first), isDeletion: deletes(second) },
      use: () => other.stepwell.runs.remove(app, first),
      remove: () => one.stepwell.runs.remove(app, second),
    };
    expect(await race(processes, order, calls)).toEqual({ used: "done", removed: "done" });
    expect([...data.documents.keys()].filter((key) => /^(run|version):/.test(key))).toEqual([]);
  });
});

it("a deletion whose process dies keeps users away for a while only, and deletes nothing that is used then", async () => {
  const processes = await open();
  const { one, other, finish, until } = processes;
  const { id: app } = await one.stepwell.apps.create({ name: "Tests" });
  const workflow_id = await workflow(processes, app);
  const deletion = one.hold(deletes(workflow_id));
  const removed = one.stepwell.workflows.remove(app, workflow_id);
  await until(() => deletion.isReached);
  expect(await finish(other.stepwell.schedules.create(app, { workflow_id, every: 60 }))).toMatchObject({
    value: { workflow_id },
  });
  deletion.release();
  expect(await finish(removed)).toMatchObject({
    reason: { code: "conflict", message: expect.stringMatching("in use") },
  });
  expect(await other.stepwell.workflows.get(app, workflow_id)).toMatchObject({ id: workflow_id });
});
