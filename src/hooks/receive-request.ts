/** Starts runs of workflows for requests to their hooks. */

import * as v from "valibot";
import { noReceipt } from "../documents/receipt.ts";
import { collectBody } from "../encoding/collect-body.ts";
import { StepwellError } from "../errors.ts";
import type { StoreFile } from "../files/create-file.ts";
import type { JsonObject } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { hasEnded, type Run } from "../runs/run.ts";
import type { RunTrigger } from "../runs/run-labels.ts";
import type { Runs } from "../runs/runs.ts";
import { requestId } from "../signatures/signing-secrets.ts";
import { instant } from "../time/iso.ts";
import { within } from "../time/within.ts";
import { definitionAt } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import type { FoundHook, Hooks } from "./hook-registry.ts";
import { HookResponse, RESPOND } from "./hook-response.ts";
import type { HookSignatures } from "./hook-signatures.ts";
import { keptRequest } from "./kept-request.ts";
import { readPayload } from "./payload.ts";
import { pickFields } from "./pick-fields.ts";
import { storeRequestFiles } from "./request-files.ts";
import { type RequestLog, refusalOf } from "./request-log.ts";
import type { RequestReceipts } from "./request-receipts.ts";
import type { CheckSenderFiles } from "./sender-files.ts";

export interface HookRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** Query parameters. Part of the input only for unsigned hooks, because signatures don't cover them. */
  readonly query: JsonObject;
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether the body was rebuilt after a body parser, so that no signature can be verified. */
  readonly isBodyRebuilt: boolean;
  /** Seconds to wait for the end of the run; null if the sender doesn't say. */
  readonly wait: number | null;
  readonly signal: AbortSignal | undefined;
}

export interface HookReceiver {
  /**
   * Starts a run, or finds the run that an earlier copy of the request started, and notes the request.
   * @param respond Makes the response of what has come of it.
   * @throws StepwellError `not_found` if no hook has the path; `signature_mismatch` for a missing or wrong signature;
   * `not_configured` if the signature cannot be verified; `too_large`; `malformed`; `invalid` with every invalid field
   */
  receive<Answer extends { readonly status: number }>(
    appId: string,
    request: HookRequest,
    respond: (answer: HookAnswer) => Answer,
  ): Promise<Answer>;
  exists(appId: string, method: string, path: string): Promise<boolean>;
}

export interface HookAnswer {
  readonly run: Run;
  /** Whether to respond with the output of the run. */
  readonly hasWaited: boolean;
  /** The response that a step has given, if one has. */
  readonly response: HookResponse | null;
}

/** How long a hook that responds with the output waits for it. */
const OUTPUT_SECONDS = 30;

export function createHookReceiver(parts: {
  clock: Clock;
  receipts: RequestReceipts;
  requestLog: Pick<RequestLog, "add">;
  hooks: Hooks;
  signatures: Pick<HookSignatures, "verifyHookRequest">;
  runs: Runs;
  latest(appId: string, workflowId: string): Promise<Version>;
  ids: Pick<Ids, "random">;
  checkSenderFiles: CheckSenderFiles;
  storeFile: StoreFile;
  removeFile(appId: string, fileId: string): Promise<void>;
  /** Maximum bytes of a body. */
  bodyBytes: number;
}): HookReceiver {
  const { clock, ids, hooks, signatures, runs, latest, checkSenderFiles, bodyBytes, receipts, requestLog } = parts;
  const fileStorage = { storeFile: parts.storeFile, removeFile: parts.removeFile };

  async function start(appId: string, { hook, params }: FoundHook, request: HookRequest): Promise<Started> {
    const { headers, query, body, isBodyRebuilt } = request;
    const { workflow_id, step_key } = hook;
    const bytes = await collectBody(body, bodyBytes);
    const verified = await signatures.verifyHookRequest(hook, { headers, body: bytes, isBodyRebuilt });
    const version = await latest(appId, workflow_id);
    const responding = respondingSteps(version);
    const definition = definitionAt(version, step_key);
    const payload = await readPayload(bytes, headers, definition);
    const values = verified === null ? { ...query, ...payload.values, ...params } : payload.values;
    const id = requestId(verified, { headers, body: bytes });
    const key = id === null ? null : receipts.keyOf(hook.id, id);
    const before = key === null ? null : await receipts.find(key);
    if (before !== null) return { run: await runs.get(appId, before), responding };
    const picked = pickFields(definition, values);
    // A signature shows that the sender has a secret of the app.
    const unusable = verified === null ? await checkSenderFiles({ appId, definition, values: picked }) : [];
    if (unusable.length > 0) throw invalid(unusable);
    const fileKey = key ?? `hook-file/${ids.random(26)}`;
    const files = await storeRequestFiles(fileStorage, appId, fileKey, definition, payload.files);
    const input = { ...picked, ...files.values };
    const kept = keptRequest(
      { ...request, params },
      hook.secrets.map(({ header }) => header),
    );
    const trigger: RunTrigger = { type: "webhook", id: hook.id, request: kept };
    const receipt = key === null ? noReceipt : receipts.receiptFor(key);
    try {
      return { run: await runs.create(appId, workflow_id, { input, step_key }, trigger, receipt), responding };
    } catch (error) {
      const other = key === null ? null : await receipts.findConcurrent(key, error);
      if (other === null) {
        await files.discard();
        throw error;
      }
      return { run: await runs.get(appId, other), responding };
    }
  }

  /** Returns the response of the first step that gives one, or null if the run ends or the time is up without one. */
  async function untilResponse(
    { run, responding }: Started,
    appId: string,
    seconds: number,
    signal: AbortSignal | undefined,
  ): Promise<HookResponse | null> {
    if (responding.size === 0 || seconds === 0) return null;
    return within(clock, seconds * 1_000, signal, async (until) => {
      for await (const event of await runs.events(appId, run.id, 0, until)) {
        const isResponse = event.type === "step.succeeded" && responding.has(event.step ?? "");
        if (isResponse) return responseOf(await runs.get(appId, run.id), event.step ?? "");
      }
      until?.throwIfAborted();
      return null;
    });
  }

  async function answered(appId: string, found: FoundHook, started: Started, request: HookRequest) {
    const { signal, wait } = request;
    const response = await untilResponse(started, appId, wait ?? OUTPUT_SECONDS, signal);
    const seconds = wait ?? (found.hook.respond === "output" ? OUTPUT_SECONDS : 0);
    const hasWaited = seconds > 0;
    const { run } = started;
    if (response !== null || !hasWaited || hasEnded(run.status)) return { run, hasWaited, response };
    return { run: await runs.wait(appId, run.id, seconds * 1_000, signal), hasWaited, response };
  }

  return {
    exists: async (appId, method, path) => (await hooks.find(appId, method, path)) !== null,
    async receive(appId, request, respond) {
      const { method, path } = request;
      const found = await hooks.find(appId, method, path);
      if (found === null) throw noWebhook(method, path);
      const about = { at: instant(clock.now()), method };
      let runId: string | null = null;
      try {
        const started = await start(appId, found, request);
        runId = started.run.id;
        const answer = respond(await answered(appId, found, started, request));
        requestLog.add(found.hook, { ...about, status: answer.status, run_id: runId, error: null });
        return answer;
      } catch (error) {
        requestLog.add(found.hook, { ...about, run_id: runId, ...refusalOf(error) });
        throw error;
      }
    },
  };
}

/** A run, and the steps that may respond to its request. */
interface Started {
  readonly run: Run;
  readonly responding: ReadonlySet<string>;
}

function respondingSteps({ steps }: Version): ReadonlySet<string> {
  const responding = steps.filter(
    (step) =>
      step.type === "service" && step.service.service === RESPOND.service && step.service.action === RESPOND.action,
  );
  return new Set(responding.map(({ key }) => key));
}

function responseOf({ steps }: Run, key: string): HookResponse | null {
  const output = steps.find((step) => step.key === key)?.output;
  // With for_each, the output is a list.
  const checked = v.safeParse(HookResponse, Array.isArray(output) ? output[0] : output);
  return checked.success ? checked.output : null;
}

export function noWebhook(method: string, path: string): StepwellError {
  const at = JSON.stringify(path.slice(0, 100));
  return new StepwellError("not_found", `No webhook accepts ${method} at the path ${at}.`);
}
