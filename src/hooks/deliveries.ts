/** Lets what comes to the address of a webhook start a run of the workflow that it belongs to. */

import { checkedIdempotencyKey } from "../api/path-params.ts";
import { type Expiring, expiringRow } from "../documents/expiring-documents.ts";
import type { Receipt } from "../documents/receipt.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import { isRecord, type JsonObject, type JsonValue } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Key, Store } from "../ports/store.ts";
import { hasEnded, type Run } from "../runs/run.ts";
import type { Runs } from "../runs/runs.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS } from "../time/units.ts";
import type { InputDefinition, InputField } from "../workflows/input/input-field.ts";
import { definitionAt } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import type { Hooks } from "./hook-registry.ts";
import { collected, readPayload } from "./payload.ts";
import { SCHEMES } from "./signature-schemes.ts";
import type { Passed, Signatures } from "./signatures.ts";

export interface Delivery {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  /** Part of the input where nothing needs to be signed: no signature is of it. */
  readonly query: JsonObject;
  readonly body: AsyncIterable<Uint8Array>;
  /** The body is not as it was sent, so no signature can be checked. */
  readonly isBodyRebuilt: boolean;
  /** Seconds to wait for the end of the run. */
  readonly wait: number;
  readonly signal: AbortSignal | undefined;
}

export interface Webhooks {
  /**
   * Starts a run, or finds the one that the same delivery started before.
   * @throws StepwellError `not_found` for an address that is no webhook's, `signature_mismatch` where it must be signed
   * and is not, `not_configured` where that cannot be found out, `too_large`, `malformed`, `invalid` with every bad field
   */
  receive(appId: string, delivery: Delivery): Promise<Run>;
  isThere(appId: string, method: string, path: string): Promise<boolean>;
}

/** A delivery that was taken. */
interface Taken extends Expiring {
  readonly run_id: string;
}

/** How long a delivery that is sent again is known. */
const DELIVERY_MEMORY_MS = DAY_MS;
/**
 * The sender's own name for what it sends, by which one that is sent again is known: Standard Webhooks, the IETF's draft,
 * GitHub.
 */
const IDS = ["webhook-id", "idempotency-key", "x-github-delivery"] as const;

export function createWebhooks(parts: {
  store: Store;
  clock: Clock;
  hash: Hash;
  hooks: Hooks;
  signatures: Pick<Signatures, "check">;
  runs: Runs;
  latest(appId: string, workflowId: string): Promise<Version>;
  /** Bytes of a body at the most. */
  bodyBytes: number;
}): Webhooks {
  const { store, clock, hash, hooks, signatures, runs, latest, bodyBytes } = parts;

  /** Stored with the run that it starts: of deliveries that are the same, one does. */
  function taking(key: Key): Receipt {
    return (run) => {
      const expires_at = instant(clock.now() + DELIVERY_MEMORY_MS);
      const document: Taken = { run_id: (run as Run).id, expires_at }; // of what it is given to, the answer is a run
      return [{ key, document, expected: null, rows: [expiringRow(key, document)] }];
    };
  }

  async function start(appId: string, delivery: Delivery): Promise<Run> {
    const { method, path, headers, query, body, isBodyRebuilt } = delivery;
    const hook = await hooks.find(appId, method, path);
    if (hook === null) throw noWebhook(method, path);
    const { workflow_id, step_key } = hook;
    const bytes = await collected(body, bodyBytes);
    const passed = await signatures.check(hook, { headers, body: bytes, isBodyRebuilt });
    const payload = await readPayload(bytes, headers.get("content-type") ?? "");
    const values = passed === null ? { ...query, ...payload } : payload;
    const id = idOf(passed, headers, payload);
    const key: Key = `delivery:${hash.sha256(JSON.stringify([hook.id, id])).slice(0, 40)}`;
    const before = id === null ? null : await store.get<Taken>(key);
    if (before !== null) return runs.get(appId, before.document.run_id);
    const input = asked(definitionAt(await latest(appId, workflow_id), step_key), values);
    try {
      return await runs.create(appId, workflow_id, { input, step_key }, id === null ? () => [] : taking(key));
    } catch (error) {
      const isTaken = isStepwellError(error, "conflict") && error.key === key;
      const other = isTaken ? await store.get<Taken>(key) : null;
      if (other === null) throw error;
      return runs.get(appId, other.document.run_id);
    }
  }

  return {
    isThere: async (appId, method, path) => (await hooks.find(appId, method, path)) !== null,
    async receive(appId, delivery) {
      const run = await start(appId, delivery);
      if (delivery.wait === 0 || hasEnded(run.status)) return run;
      return runs.wait(appId, run.id, delivery.wait * 1_000, delivery.signal);
    },
  };
}

function noWebhook(method: string, path: string): StepwellError {
  const at = JSON.stringify(path.slice(0, 100));
  return new StepwellError("not_found", `No webhook accepts ${method} at the path ${at}.`);
}

/** A name that is signed cannot be changed by who sends again what somebody else has signed. */
function idOf(passed: Passed | null, headers: Headers, payload: JsonObject): string | null {
  if (passed !== null && SCHEMES[passed.scheme].isDated) {
    return SCHEMES[passed.scheme].idOf(headers, payload) ?? passed.signature;
  }
  for (const name of IDS) {
    const value = headers.get(name);
    if (value !== null) return checkedIdempotencyKey(name, value);
  }
  return null;
}

/** Senders send what they send: of that, what the step asks for. */
function asked(definition: InputDefinition, values: JsonObject): JsonObject {
  if (Object.keys(definition).length === 0) return values;
  return partOf(values, definition, false);
}

function partOf(values: JsonObject, definition: InputDefinition, additional: boolean | readonly string[]): JsonObject {
  const others = (name: string) => (typeof additional === "boolean" ? additional : additional.includes(name));
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (Object.hasOwn(definition, name)) return [[name, askedOf(definition[name], value)]];
      return others(name) ? [[name, value]] : [];
    }),
  );
}

function askedOf(field: InputField | undefined, value: JsonValue): JsonValue {
  if (field?.type !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? item : askedOf(field, item)));
  return isRecord(value) ? partOf(value as JsonObject, field.fields, field.additional_fields ?? false) : value; // a part of JSON
}
