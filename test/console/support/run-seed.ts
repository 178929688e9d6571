/** Runs as a person looks at them: long ones, failed ones, waiting ones, and ones with hostile outputs. */
import * as v from "valibot";
import { defineService, RetryableError, type Step } from "../../../src/index.ts";
import { createGate } from "../../support/gate.ts";
import { until } from "../../support/until.ts";
import type { ConsoleServer } from "./console-server.ts";

const to = (...destinations: string[]) => ({ destinations });
const start = (more: Partial<Step> = {}): Step => ({ type: "input", key: "start", input: {}, ...more }) as Step; // an input step

/** The service of the workflows below. Its actions end when a test says so, fail at first, or return what is hostile. */
export function createActor() {
  const gates = new Map<string, ReturnType<typeof createGate>>();
  const gateOf = (name: string) => {
    const gate = gates.get(name) ?? createGate();
    gates.set(name, gate);
    return gate;
  };
  const tried = new Map<string, number>();
  const output = v.any();
  const service = defineService({
    name: "actor",
    title: "Actor",
    actions: {
      echo: { title: "Echo", input: v.object({ value: v.any() }), output, run: async ({ value }) => value },
      hold: {
        title: "Hold",
        input: v.object({ gate: v.string() }),
        output,
        async run({ gate }, { log }) {
          log(`waits for ${gate}`);
          await gateOf(gate).released;
          return { gate };
        },
      },
      flaky: {
        title: "Fail at first",
        input: v.object({ name: v.string(), failures: v.number() }),
        output,
        async run({ name, failures }) {
          const tries = (tried.get(name) ?? 0) + 1;
          tried.set(name, tries);
          if (tries <= failures) throw new RetryableError(`The address answered 503 (try ${tries}).`);
          return { tries };
        },
      },
      check: {
        title: "Check",
        input: v.object({ index: v.number(), every: v.number() }),
        output,
        async run({ index, every }) {
          if (index % every === every - 1) throw new Error(`Item ${index} is not valid.`);
          return { index };
        },
      },
      hostile: {
        title: "Hostile output",
        input: v.object({ kind: v.string() }),
        output,
        run: async ({ kind }) => hostileOutput(kind),
      },
    },
  });
  return { service, release: (gate: string) => gateOf(gate).release() };
}

const act = (key: string, action: string, input: object, more: Partial<Step> = {}): Step =>
  ({ type: "service", key, service: { service: "actor", action, input }, ...more }) as Step; // a service step

export const HOSTILE_TEXT = `<img src=x onerror="alert(1)"><script>alert(2)</script> \u202Egnp.exe\u202C \u0627\u0644\u0639\u0631\u0628\u064a\u0629`;

function hostileOutput(kind: string): unknown {
  if (kind === "text") return HOSTILE_TEXT;
  if (kind === "deep") {
    let value: unknown = HOSTILE_TEXT;
    for (let depth = 0; depth < 60; depth++) value = depth % 2 === 0 ? { [HOSTILE_TEXT]: value } : [value];
    return value;
  }
  const row = { id: 1, name: "A customer with a name", amount: 1_250, note: "x".repeat(60) };
  return Array.from({ length: 60_000 }, (_, id) => ({ ...row, id }));
}

/** A chain of 200 steps of which the last but a few fails. */
const long = (): readonly Step[] => [
  start(to("step_1")),
  ...Array.from({ length: 199 }, (_, n): Step => {
    const number = n + 1;
    const next = number < 199 ? to(`step_${number + 1}`) : {};
    const conditional = number === 190 ? "input.missing.value > 1" : undefined;
    const value = { number };
    return act(`step_${number}`, "echo", { value }, { ...next, ...(conditional === undefined ? {} : { conditional }) });
  }),
];

const items = (): readonly Step[] => [
  start(to("numbers")),
  act("numbers", "echo", { value: Array.from({ length: 240 }, (_, index) => index) }, to("items")),
  act("items", "check", { index: "{{ index }}", every: 80 }, {
    for_each: { items: "steps.numbers.output", concurrency: 20, on_error: "continue" },
    retry: { max_attempts: 1 },
    ...to("sum"),
  } as Partial<Step>),
  act("sum", "echo", { value: "{{ steps.items.output }}" }),
];

const loan = (): readonly Step[] => [
  {
    type: "note",
    key: "about",
    note: "Loans above 1000 are approved by a person.\nAll others are billed at once.",
  },
  start({ ...to("fetch"), display: "expanded" }),
  act("fetch", "flaky", { name: "{{ run.id }}", failures: 2 }, {
    ...to("size"),
    retry: { max_attempts: 3, initial_interval: 0.2, backoff: 1 },
    display: "expanded",
  } as Partial<Step>),
  {
    type: "branch",
    key: "size",
    conditions: {
      large: { condition: "input.amount > 1000", destinations: ["approve"], order: 1 },
      small: { condition: "input.amount > 100 && input.amount <= 1000", destinations: ["bill"], order: 2 },
    },
    else: ["refuse"],
  },
  { type: "input", key: "approve", input: { ok: { type: "boolean", name: "Approve" } }, ...to("bill") },
  act("bill", "echo", { value: { billed: true } }, {
    ...to("archive"),
    on_error: [{ condition: 'error.code == "timeout"', destinations: ["refuse"] }],
  } as Partial<Step>),
  act("refuse", "echo", { value: { refused: true } }, { throw_on_error: false, display: "minimal" }),
  act("archive", "echo", { value: { archived: true } }, { conditional: "input.amount > 0", display: "minimal" }),
];

const failing = (): readonly Step[] => [
  start(to("fetch")),
  act("fetch", "flaky", { name: "{{ run.id }}", failures: 9 }, {
    ...to("size"),
    retry: { max_attempts: 3, initial_interval: 0.1, backoff: 1 },
  } as Partial<Step>),
  act("size", "echo", { value: 1 }, to("bill")),
  act("bill", "echo", { value: 2 }),
];

const growing = (count: number): readonly Step[] => [
  start(to("part_1")),
  ...Array.from({ length: count }, (_, n): Step => {
    const next = n + 1 < count ? to(`part_${n + 2}`) : {};
    return act(`part_${n + 1}`, "hold", { gate: `{{ run.id }}-${n + 1}` }, next);
  }),
];

const hostile = (): readonly Step[] => [
  start(to("text")),
  act("text", "hostile", { kind: "text" }, to("deep")),
  act("deep", "hostile", { kind: "deep" }, to("big")),
  act("big", "hostile", { kind: "big" }),
];

export interface RunWorkflows {
  readonly long: string;
  readonly items: string;
  readonly loan: string;
  readonly failing: string;
  readonly growing: string;
  readonly hostile: string;
  readonly parent: string;
}

/** @returns The ids of the workflows. The server has the service of {@link createActor}. */
export async function deployRunWorkflows({ stepwell, app }: ConsoleServer): Promise<RunWorkflows> {
  const deploy = async (name: string, steps: readonly Step[]) => {
    const { id } = await stepwell.workflows.create(app.id, { name, steps: [...steps] });
    await stepwell.workflows.deploy(app.id, id);
    return id;
  };
  const ids = {
    long: await deploy("A long workflow", long()),
    items: await deploy("Nightly batch", items()),
    loan: await deploy("Loan intake", loan()),
    failing: await deploy("Credit check", failing()),
    growing: await deploy("Import", growing(6)),
    hostile: await deploy("Hostile", hostile()),
  };
  const parent = await deploy("Monthly", [
    start(to("children")),
    {
      type: "workflow",
      key: "children",
      workflow_id: ids.loan,
      input: { amount: "{{ item }}" },
      for_each: { items: "[200, 300, 5000]", concurrency: 3 },
    },
  ]);
  return { ...ids, parent };
}

/** Waits until a step of a run waits or runs. */
export async function untilStep({ stepwell, app }: ConsoleServer, runId: string, key: string, status: string) {
  await until(async () => {
    const { steps } = await stepwell.runs.get(app.id, runId);
    return steps.find((step) => step.key === key)?.status === status;
  });
}
