/** For the tests of those who use the library: a service in memory, a clock that moves, HTTP without a network. */
import { createStepwell, type Stepwell } from "../create.ts";
import type { JsonObject } from "../json.ts";
import type { Options } from "../options/options.ts";
import type { Clock } from "../ports/clock.ts";
import type { ExtendedDriver } from "../ports/driver.ts";
import type { Logger } from "../ports/logger.ts";
import type { Run } from "../runs/run.ts";
import type { DraftPut } from "../workflows/version.ts";
import type { WorkflowCreate } from "../workflows/workflow.ts";
import { type HttpStubs, type SentRequest, stubHttp } from "./http.ts";

export { createTestClock, type TestClock } from "./clock.ts";
export type { HttpStubs, SentRequest, StubbedAnswer } from "./http.ts";
export { type ScriptedAnswer, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

type Steps = NonNullable<DraftPut["steps"]>;

/** What a test can set, beside what a service takes. */
export interface TestOptions extends Omit<Options, "storage" | "fetch"> {
  /** Answers to the addresses that steps call. An address without one fails. */
  readonly http?: HttpStubs;
  /** Left out, the clock of the machine; see `createTestClock`. */
  readonly clock?: Clock;
}

export interface TestService {
  readonly stepwell: Stepwell;
  /** The id of the one app. */
  readonly app: string;
  /** What steps have sent so far. */
  readonly requests: readonly SentRequest[];
  /** Deploys a definition and runs it to its end, or to where it waits for somebody. */
  run(definition: DraftPut | Steps, input?: JsonObject): Promise<Run>;
  /** Uploads a file; gives its id, to be used in an input. */
  upload(name: string, content: string | Uint8Array): Promise<string>;
  /**
   * What a process finds that starts after this one was killed right now. The old service goes on, without effect on the
   * new one.
   */
  crash(): Promise<TestService>;
  close(): Promise<void>;
}

/**
 * @example
 * ```ts
 * const t = await createTestService({ http: { "GET https://api.example.com/rate": { json: { rate: 1.1 } } } });
 * const run = await t.run([{ type: "http_request", key: "rate", url: "https://api.example.com/rate" }]);
 * ```
 */
export function createTestService(options: TestOptions = {}): Promise<TestService> {
  return openTestService(options, new Map());
}

/**
 * Runs a definition once, in a service of its own.
 *
 * @example
 * ```ts
 * const run = await runWorkflow({ steps: [{ type: "code", key: "double", code: "return input.n * 2" }] }, { n: 21 });
 * expect(run.output).toBe(42);
 * ```
 */
export async function runWorkflow(
  definition: DraftPut | Steps,
  input: JsonObject = {},
  options: TestOptions = {},
): Promise<Run> {
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

  async function ended(runId: string): Promise<Run> {
    const settled = new AbortController();
    // A run that waits for somebody never ends by itself: whichever comes first.
    for await (const event of stepwell.runs.events(app, runId, { signal: settled.signal })) {
      if (event.type === "step.waiting" && (await stepwell.runs.get(app, runId)).status === "waiting") break;
    }
    return stepwell.runs.get(app, runId);
  }

  return {
    stepwell,
    app,
    requests: stubbed.requests,

    async run(definition, input = {}) {
      const draft: Omit<WorkflowCreate, "name"> = isSteps(definition) ? { steps: definition } : definition;
      const workflow = await stepwell.workflows.create(app, { name: "Test", ...draft });
      await stepwell.workflows.deploy(app, workflow.id);
      return ended((await stepwell.runs.create(app, workflow.id, { input })).id);
    },

    async upload(name, content) {
      const { upload_url } = await stepwell.files.createUpload(app);
      const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
      return (await stepwell.files.receive(upload_url, { name, body })).id;
    },

    crash: () => openTestService(options, new Map(data), app),
    close: () => stepwell.close(),
  };
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

function isSteps(definition: DraftPut | Steps): definition is Steps {
  return Array.isArray(definition);
}

/** A driver over texts that can be copied at any moment, as a disk is found after a crash. */
function textDriver(data: Map<string, string>): ExtendedDriver {
  return {
    name: "testing",
    hasItem: (key) => data.has(key),
    getItem: (key) => data.get(key) ?? null,
    setItem: (key, value) => void data.set(key, value),
    removeItem: (key) => void data.delete(key),
    getKeys: () => [...data.keys()],
    // Nobody else has the texts, so that no timer has to look for another owner each time the clock moves.
    takeOwnership: async () => ({ generation: 1, verify: () => undefined }),
  };
}
