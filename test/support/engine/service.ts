/** A service with one app, and helpers that create steps. */
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
import type { ExecutedStep } from "../../../src/workflows/step.ts";
import type { DraftPut } from "../../../src/workflows/version.ts";
import { until } from "../until.ts";

export const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
function ignore(): void {}

/** Shared by all services of a worker, so that its threads start once. The timeout allows for busy machines. */
export const extractor: Extractor = { ...createExtractor({ timeoutMs: 600_000 }), close: async () => undefined };

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

  /** Deploys steps as a new workflow and starts a run. */
  async function start(steps: readonly Step[], input: JsonObject = {}, more: { step_key?: string } = {}): Promise<Run> {
    return stepwell.runs.create(app, await deploy(steps), { input, ...more });
  }

  return {
    stepwell,
    app,
    draft,
    deploy,
    start,
    /** Deploys steps as a new workflow and runs it to its end. */
    async run(steps: readonly Step[], input?: JsonObject, more?: { step_key?: string }): Promise<Run> {
      return stepwell.runs.wait(app, (await start(steps, input, more)).id);
    },
    /** Runs a workflow to its end. */
    async runOf(workflow: string, input: JsonObject = {}): Promise<Run> {
      return stepwell.runs.wait(app, (await stepwell.runs.create(app, workflow, { input })).id);
    },
    get: (runId: string) => stepwell.runs.get(app, runId),
    wait: (runId: string) => stepwell.runs.wait(app, runId),
    /** Waits until a condition holds, and returns the run. */
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

/** The scripts of code steps in these tests: the first word of the code is the name, the rest its argument. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  give: (_, argument) => JSON.parse(argument) as unknown,
  fail(_, argument) {
    throw new SandboxError("code_failed", argument);
  },
  hang: ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })),
};

/** Replaces QuickJS in tests that are not about code: it returns a value, fails or hangs as the step says. */
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
/** Fields of code steps. */
type Executed = Common & Partial<Pick<ExecutedStep, "on_error" | "retry" | "timeout" | "for_each" | "loop_delay">>;

/** A step that returns its own key, or a value. */
export const give = (key: string, more: Executed = {}, value: JsonValue = key): Step => ({
  type: "code",
  key,
  code: `give ${JSON.stringify(value)}`,
  ...more,
});
export const fail = (key: string, more: Executed = {}): Step => ({
  type: "code",
  key,
  code: `fail ${key} broke`,
  ...more,
});
export const note = (key: string, more: Common = {}): Step => ({ type: "note", key, note: "", ...more });
export const to = (...destinations: string[]) => ({ destinations });

type Conditions = Readonly<Record<string, readonly [condition: string, ...destinations: string[]]>>;

/** A branch with conditions in the given order. */
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
