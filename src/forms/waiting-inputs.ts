/** Finds the input steps that wait. */
import { listPage, marksOf, type PageQuery } from "../documents/documents.ts";
import type { Page } from "../documents/pagination.ts";
import { notFound, StepwellError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { Store } from "../ports/store.ts";
import { type OpenInput, runsWithInputs } from "../runs/open-input.ts";
import type { RunSummary } from "../runs/run.ts";
import type { InputWait } from "../runs/run-executor.ts";
import { runKey } from "../runs/run-rows.ts";
import type { InputDefinition } from "../workflows/input/input-field.ts";
import { inputSchema } from "../workflows/input/json-schema.ts";
import { definitionAt, noInputStep } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import { inputPreview } from "./input-preview.ts";
import type { WaitingInput, WaitingRun } from "./waiting-input.ts";

export interface WaitingInputsQuery extends PageQuery {
  readonly workflow_id?: string | undefined;
}

/** An input step of a run. */
export interface InputStep {
  readonly version: Version;
  readonly definition: InputDefinition;
  /** How often the run has been retried. */
  readonly retries: number;
}

/** What an input step waits for. */
export interface InputWaiting {
  readonly input: WaitingInput;
  readonly wait: InputWait;
}

export interface WaitingInputs {
  /** The runs that wait for input, those first that have waited longest. */
  list(appId: string, query: WaitingInputsQuery): Promise<Page<WaitingRun>>;
  /**
   * Finds an input step. `waiting` is null if it does not wait.
   * @throws StepwellError `not_found` for an unknown run or input step
   */
  find(appId: string, runId: string, stepKey: string): Promise<InputStep & { readonly waiting: InputWaiting | null }>;
  /** @throws StepwellError `not_found` for an unknown run or input step; `conflict` if the step does not wait */
  get(appId: string, runId: string, stepKey: string): Promise<WaitingInput>;
}

/** What is read here of the document of a run. */
interface StoredRun extends RunSummary {
  readonly input: JsonObject;
  /** Key of the input step that the run started at. */
  readonly start: string | null;
  readonly inputs?: readonly OpenInput[];
  readonly finished_at: string | null;
  readonly retries?: number;
}

export function createWaitingInputs(parts: {
  store: Store;
  findVersion(versionId: string): Promise<Version | null>;
}): WaitingInputs {
  const { store, findVersion } = parts;

  async function find(appId: string, runId: string, stepKey: string) {
    const run = (await store.get<StoredRun>(runKey(runId)))?.document;
    if (run === undefined || run.app_id !== appId) throw notFound("run", runId);
    const version = await findVersion(run.workflow_version_id);
    const definition = definitionOf(version, stepKey);
    if (version === null || definition === null) throw noInputStep(version, stepKey);
    const open = run.finished_at === null ? run.inputs?.find(({ key }) => key === stepKey) : undefined;
    const [input] = open === undefined ? [] : view(open, version);
    const { retries = 0 } = run;
    if (open === undefined || input === undefined) return { version, definition, retries, waiting: null };
    return { version, definition, retries, waiting: { input, wait: { iteration: open.iteration, retries } } };
  }

  return {
    list: (appId, { workflow_id, ...query }) =>
      listPage<StoredRun, WaitingRun>(
        store,
        runsWithInputs(appId),
        { ...query, descending: false, marks: marksOf("workflow", workflow_id) },
        runKey,
        async (run) => {
          const { id, version, tags, metadata, created_at } = run;
          const found = run.finished_at === null ? await findVersion(run.workflow_version_id) : null;
          const inputs = found === null ? [] : (run.inputs ?? []).flatMap((open) => view(open, found));
          if (found === null || inputs.length === 0) return null;
          const input_preview = inputPreview(run.input, definitionAt(found, run.start));
          const about = { run_id: id, workflow_id: run.workflow_id, version, tags: [...tags], metadata, created_at };
          return { ...about, input_preview, inputs };
        },
      ),

    find,
    async get(appId, runId, stepKey) {
      const { waiting } = await find(appId, runId, stepKey);
      if (waiting === null) throw notWaiting();
      return waiting.input;
    },
  };
}

export const notWaiting = () => new StepwellError("conflict", "The step is not waiting for input.");

function view({ key, since, until }: OpenInput, version: Version): WaitingInput[] {
  const definition = definitionOf(version, key);
  return definition === null ? [] : [{ step_key: key, definition, schema: inputSchema(definition), since, until }];
}

function definitionOf(version: Version | null, stepKey: string): InputDefinition | null {
  const step = version?.steps.find(({ key }) => key === stepKey);
  return step?.type === "input" ? step.input : null;
}
