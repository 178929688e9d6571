/** A service with one app, and short ways to write steps: what the tests of this folder stand on. */

import { createExtractor } from "../../../adapters/extract/extractor.ts";
import type {
  InputDefinition,
  JsonObject,
  JsonValue,
  Logger,
  Options,
  Run,
  Sandbox,
  SandboxCall,
  Step,
} from "../../../src/index.ts";
import { createStepwell } from "../../../src/index.ts";
import type { Extractor } from "../../../src/ports/extractor.ts";
import { SandboxError } from "../../../src/ports/sandbox.ts";
import type { DraftPut } from "../../../src/workflows/version.ts";
import { until } from "../until.ts";

export const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
function ignore(): void {}

/** For all services of a worker: its threads start once, and may take as long as a busy machine needs. */
const extractor: Extractor = { ...createExtractor({ timeoutMs: 600_000 }), close: async () => undefined };

type Rest = Omit<DraftPut, "steps">;

export async function openService(options: Options = {}, knownApp?: string) {
  const stepwell = createStepwell({ logger: silent, sandbox: scripted(), extractor, ...options });
  const app = knownApp ?? (await stepwell.apps.create({ name: "Tests" })).id;

  async function draft(steps: readonly Step[], rest: Rest = {}): Promise<string> {
    return (await stepwell.workflows.create(app, { name: "Test", steps: [...steps], ...rest })).id;
  }

  async function deploy(steps: readonly Step[], rest?: Rest): Promise<string> {
    const workflow = await draft(steps, rest);
    await stepwell.workflows.deploy(app, workflow);
    return workflow;
  }

  /** Starts a run of new steps. */
  async function start(steps: readonly Step[], input: JsonObject = {}, more: { step_key?: string } = {}): Promise<Run> {
    return stepwell.runs.create(app, await deploy(steps), { input, ...more });
  }

  return {
    stepwell,
    app,
    draft,
    deploy,
    start,
    /** Runs new steps to their end. */
    async run(steps: readonly Step[], input?: JsonObject, more?: { step_key?: string }): Promise<Run> {
      return stepwell.runs.wait(app, (await start(steps, input, more)).id);
    },
    /** Runs a workflow to its end. */
    async runOf(workflow: string, input: JsonObject = {}): Promise<Run> {
      return stepwell.runs.wait(app, (await stepwell.runs.create(app, workflow, { input })).id);
    },
    get: (runId: string) => stepwell.runs.get(app, runId),
    wait: (runId: string) => stepwell.runs.wait(app, runId),
    /** The run once this holds of it. */
    async until(runId: string, holds: (run: Run) => boolean): Promise<Run> {
      let run = await stepwell.runs.get(app, runId);
      await until(async () => {
        run = await stepwell.runs.get(app, runId);
        return holds(run);
      });
      return run;
    },
  };
}

export type Service = Awaited<ReturnType<typeof openService>>;

export type Script = (call: SandboxCall, argument: string) => unknown;

/** What code steps of these tests can do: the first word of the code says what, the rest with what. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  give: (_, argument) => JSON.parse(argument) as unknown,
  fail(_, argument) {
    throw new SandboxError("code_failed", argument);
  },
  hang: ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
};

/** Stands in for QuickJS where a test is not about code: it gives, fails or hangs as the step says. */
export function scripted(more: Readonly<Record<string, Script>> = {}): Sandbox {
  const scripts = { ...SCRIPTS, ...more };
  return {
    async run(call) {
      const [, name = "", argument = ""] = /^(\w+) ?(.*)$/s.exec(call.code) ?? [];
      const script = scripts[name];
      if (script === undefined) throw new SandboxError("code_failed", `no script ${name}`);
      return { value: (await script(call, argument)) ?? null, logs: [] };
    },
    close: async () => undefined,
  };
}

type Common = Partial<Pick<Step, "conditional" | "loop" | "throw_on_error" | "input_connected" | "destinations">>;

export const input = (key: string, more: Common & { input?: InputDefinition } = {}): Step => ({
  type: "input",
  key,
  input: {},
  ...more,
});
/** A step that gives its own key, or what is said. */
export const give = (key: string, more: Common = {}, value: JsonValue = key): Step => ({
  type: "code",
  key,
  code: `give ${JSON.stringify(value)}`,
  ...more,
});
export const fail = (key: string, more: Common = {}): Step => ({
  type: "code",
  key,
  code: `fail ${key} broke`,
  ...more,
});
export const note = (key: string, more: Common = {}): Step => ({ type: "note", key, note: "", ...more });
export const to = (...destinations: string[]) => ({ destinations });

type Conditions = Readonly<Record<string, readonly [condition: string, ...destinations: string[]]>>;

/** Conditions in the order in which they are written. */
export const branch = (key: string, conditions: Conditions, otherwise: string[] = [], more: Common = {}): Step => ({
  type: "branch",
  key,
  conditions: Object.fromEntries(
    Object.entries(conditions).map(([name, [condition, ...destinations]], order) => [
      name,
      { condition, destinations, order },
    ]),
  ),
  else: otherwise,
  ...more,
});

/** The status of each step, by key. */
export function statuses({ steps }: Run): Record<string, string> {
  return Object.fromEntries(steps.map(({ key, status }) => [key, status]));
}

export function step({ steps }: Run, key: string): Run["steps"][number] {
  const found = steps.find((one) => one.key === key);
  if (found === undefined) throw new Error(`the run has no step ${key}`);
  return found;
}
