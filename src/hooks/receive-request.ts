/** Starts runs of workflows for requests to their hooks. */

import { type Expiring, expiringRow } from "../documents/expiring-documents.ts";
import { noReceipt, type Receipt } from "../documents/receipt.ts";
import { collectBody } from "../encoding/collect-body.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Key, Store } from "../ports/store.ts";
import { hasEnded, type Run } from "../runs/run.ts";
import type { RunTrigger } from "../runs/run-labels.ts";
import type { Runs } from "../runs/runs.ts";
import { requestId } from "../signatures/signing-secrets.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";
import { definitionAt } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import type { HeldHook, Hooks } from "./hook-registry.ts";
import type { HookSignatures } from "./hook-signatures.ts";
import { keptRequest } from "./kept-request.ts";
import { readPayload } from "./payload.ts";
import { pickFields } from "./pick-fields.ts";

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
   * Starts a run, or finds the run that an earlier copy of the request started.
   * @throws StepwellError `not_found` if no hook has the path; `signature_mismatch` for a missing or wrong signature;
   * `not_configured` if the signature cannot be verified; `too_large`; `malformed`; `invalid` with every invalid field
   */
  receive(appId: string, request: HookRequest): Promise<HookAnswer>;
  exists(appId: string, method: string, path: string): Promise<boolean>;
}

export interface HookAnswer {
  readonly run: Run;
  /** Whether to respond with the output of the run. */
  readonly hasWaited: boolean;
}

/** A request that started a run. */
interface HookReceipt extends Expiring {
  readonly run_id: string;
}

/** How long a hook that responds with the output waits for it. */
const OUTPUT_SECONDS = 30;
/** How long repeated requests are recognized. */
const REQUEST_MEMORY_MS = DAY_MS;

export function createHookReceiver(parts: {
  store: Store;
  clock: Clock;
  hash: Hash;
  hooks: Hooks;
  signatures: Pick<HookSignatures, "verify">;
  runs: Runs;
  latest(appId: string, workflowId: string): Promise<Version>;
  /** Maximum bytes of a body. */
  bodyBytes: number;
}): HookReceiver {
  const { store, clock, hash, hooks, signatures, runs, latest, bodyBytes } = parts;

  /** A receipt to store with the run, so that only one of several copies of a request starts a run. */
  function receiptFor(key: Key): Receipt {
    return (run) => {
      const expires_at = instant(clock.now() + REQUEST_MEMORY_MS);
      const document: HookReceipt = { run_id: (run as Run).id, expires_at }; // a receipt gets what the call created: here a run
      return [{ key, document, expected: null, rows: [expiringRow(key, document)] }];
    };
  }

  async function start(appId: string, hook: HeldHook, request: HookRequest): Promise<Run> {
    const { headers, query, body, isBodyRebuilt } = request;
    const { workflow_id, step_key } = hook;
    const bytes = await collectBody(body, bodyBytes);
    const verified = await signatures.verify(hook, { headers, body: bytes, isBodyRebuilt });
    const payload = await readPayload(bytes, headers.get("content-type") ?? "");
    const values = verified === null ? { ...query, ...payload } : payload;
    const id = requestId(verified, { headers, body: bytes });
    const key: Key = `hook-request:${hash.sha256(JSON.stringify([hook.id, id])).slice(0, 40)}`;
    const before = id === null ? null : await store.get<HookReceipt>(key);
    if (before !== null) return runs.get(appId, before.document.run_id);
    const input = pickFields(definitionAt(await latest(appId, workflow_id), step_key), values);
    const kept = keptRequest(
      request,
      hook.secrets.map(({ header }) => header),
    );
    const trigger: RunTrigger = { type: "webhook", id: hook.id, request: kept };
    const receipt = id === null ? noReceipt : receiptFor(key);
    try {
      return await runs.create(appId, workflow_id, { input, step_key }, trigger, receipt);
    } catch (error) {
      const isRepeated = isStepwellError(error, "conflict") && error.key === key;
      const other = isRepeated ? await store.get<HookReceipt>(key) : null;
      if (other === null) throw error;
      return runs.get(appId, other.document.run_id);
    }
  }

  return {
    exists: async (appId, method, path) => (await hooks.find(appId, method, path)) !== null,
    async receive(appId, request) {
      const hook = await hooks.find(appId, request.method, request.path);
      if (hook === null) throw noWebhook(request.method, request.path);
      const run = await start(appId, hook, request);
      const seconds = request.wait ?? (hook.respond === "output" ? OUTPUT_SECONDS : 0);
      const hasWaited = seconds > 0;
      if (!hasWaited || hasEnded(run.status)) return { run, hasWaited };
      return { run: await runs.wait(appId, run.id, seconds * 1_000, request.signal), hasWaited };
    },
  };
}

export function noWebhook(method: string, path: string): StepwellError {
  const at = JSON.stringify(path.slice(0, 100));
  return new StepwellError("not_found", `No webhook accepts ${method} at the path ${at}.`);
}
