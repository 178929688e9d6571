/** `stepwell/testing`: a service in memory, a clock that tests move, and HTTP without a network. */
import type { Fixed } from "../api/typed/typed-workflows.ts";
import { createStepwell, type Stepwell } from "../create.ts";
import type { JsonObject } from "../json.ts";
import type { Options } from "../options/options.ts";
import type { Clock } from "../ports/clock.ts";
import type { ExtendedDriver } from "../ports/driver.ts";
import type { Logger } from "../ports/logger.ts";
import type { Run } from "../runs/run.ts";
import type { Step } from "../workflows/step.ts";
import type { DraftPut } from "../workflows/version.ts";
import { type HttpStubs, type SentRequest, stubHttp } from "./http.ts";

export { createTestClock, type TestClock } from "./clock.ts";
export type { HttpStubs, SentRequest, StubbedResponse } from "./http.ts";
export { type ScriptedAnswer, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

type Steps = readonly Fixed<Step>[];
/** A definition or its steps, also after `as const`. */
type Given = Fixed<DraftPut> | Steps;

/** Options of {@link createTestService}: those of `createStepwell`, and stubbed HTTP responses. */
export interface TestOptions extends Omit<Options, "storage" | "fetch"> {
  /** Responses to the requests of steps. A request without a stubbed response fails. */
  readonly http?: HttpStubs;
  /** The clock of the service, such as `createTestClock()`. @default the system clock */
  readonly clock?: Clock;
}

/** A service in memory with one app. */
export interface TestService {
  /** The Stepwell instance. */
  readonly stepwell: Stepwell;
  /** Id of the app. */
  readonly app: string;
  /** Requests that steps have sent so far. */
  readonly requests: readonly SentRequest[];
  /** Deploys a definition, the first time, and runs it until it ends, or waits for input or a delay. */
  run(definition: Given, input?: JsonObject): Promise<Run>;
  /**
   * Waits until a run has ended, or waits for input or a delay, and returns it. Unlike `runs.wait` with `timeoutMs`, it needs no time
   * to pass, which a test clock would have to be advanced for.
   */
  wait(runId: string): Promise<Run>;
  /** Uploads a file and returns its id, for use in an input. */
  upload(name: string, content: string | Uint8Array): Promise<string>;
  /**
   * Creates a service from the data that a crash at this moment would leave. The old service keeps running but does not
   * affect the new one.
   */
  crash(): Promise<TestService>;
  /** Closes the service. */
  close(): Promise<void>;
}

/**
 * Creates a service in memory with one app.
 *
 * @example
 * ```ts
 * const service = await createTestService({ http: { "GET https://api.example.com/rate": { json: { rate: 1.1 } } } });
 * const run = await service.run([{ type: "http_request", key: "rate", url: "https://api.example.com/rate" }]);
 * ```
 */
export function createTestService(options: TestOptions = {}): Promise<TestService> {
  return openTestService(options, new Map());
}

/**
 * Runs a definition once, in its own service.
 *
 * @example
 * ```ts
 * const run = await runWorkflow({ steps: [{ type: "code", key: "double", code: "return input.n * 2" }] }, { n: 21 });
 * expect(run.output).toBe(42);
 * ```
 */
export async function runWorkflow(definition: Given, input: JsonObject = {}, options: TestOptions = {}): Promise<Run> {
  const service = await createTestService(options);
  try {
    return await service.run(definition, input);
  } finally {
    await service.close();
  }
}

async function openTestService(options: TestOptions, data: Map<string, string>, known?: string): Promise<TestService> {
  const { http = {}, logger = silent, ...rest } = options;
  const stubbed = stubHttp(http);
  const stepwell = createStepwell({
    ...rest,
    logger,
    fetch: stubbed.fetch,
    storage: { entities: textDriver(data) },
  });
  const app = known ?? (await stepwell.apps.create({ name: "Test" })).id;

  /** Workflows by their definition as JSON, so that a webhook's path is free when a definition is run again. */
  const deployed = new Map<string, Promise<string>>();

  async function deploy(definition: Given): Promise<string> {
    const draft = isSteps(definition) ? { steps: definition } : definition;
    const workflow = await stepwell.workflows.create(app, { name: "Test", ...draft });
    await stepwell.workflows.deploy(app, workflow.id);
    return workflow.id;
  }

  async function wait(runId: string): Promise<Run> {
    const settled = new AbortController();
    for await (const event of stepwell.runs.events(app, runId, { signal: settled.signal })) {
      if (event.type === "step.waiting" && isStuck(await stepwell.runs.get(app, runId))) break;
    }
    return stepwell.runs.get(app, runId);
  }

  return {
    stepwell,
    app,
    requests: stubbed.requests,

    async run(definition, input = {}) {
      const text = JSON.stringify(definition);
      const workflow = deployed.get(text) ?? deploy(definition);
      deployed.set(text, workflow);
      return wait((await stepwell.runs.create(app, await workflow, { input })).id);
    },

    wait,

    async upload(name, content) {
      const { upload_url } = await stepwell.files.createUpload(app);
      const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
      return (await stepwell.files.receive(upload_url, { name, body })).id;
    },

    crash: () => openTestService(options, new Map(data), app),
    close: () => stepwell.close(),
  };
}

/** Whether the run waits for input or a delay. A wait for the next attempt or iteration is not reported. */
function isStuck({ status, steps }: Run): boolean {
  const waiting = steps.filter((step) => step.status === "waiting");
  return status === "waiting" && waiting.every(({ type, attempts }) => type === "input" || attempts === 0);
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

function isSteps(definition: Given): definition is Steps {
  return Array.isArray(definition);
}

/** A storage driver whose data can be copied at any time, like a disk after a crash. */
function textDriver(data: Map<string, string>): ExtendedDriver {
  return {
    name: "testing",
    hasItem: (key) => data.has(key),
    getItem: (key) => data.get(key) ?? null,
    setItem: (key, value) => void data.set(key, value),
    removeItem: (key) => void data.delete(key),
    getKeys: () => [...data.keys()],
    // No other owner can exist, so no timer needs to look for one whenever the clock moves.
    takeOwnership: async (_, after = 0) => ({ generation: after + 1, verify: () => undefined }),
  };
}
