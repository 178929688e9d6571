/** The document of a trigger, besides its collection: its collection by the trigger's id, its secrets and its polls. */
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { SigningSecret } from "../../signatures/signature-form.ts";
import { dueRow } from "../../time/durable-timers.ts";
import { instant } from "../../time/iso.ts";
import { settingsOf, type Trigger } from "./trigger.ts";
import { pollsWith } from "./trigger-type.ts";
import type { TriggerTypes } from "./trigger-types.ts";

export interface TriggerState {
  /** `trig_…` */
  readonly id: string;
  readonly app_id: string;
  readonly collection_id: string;
  /** Newest first. Empty if the trigger accepts unsigned events. */
  readonly secrets: readonly SigningSecret[];
  /** Null for a trigger that never polled. */
  readonly poll: PollState | null;
}

export interface PollState {
  /** Cursor of the last poll; null before the first poll, and after the settings have changed. */
  readonly cursor: JsonValue;
  /** When the next poll is due, ISO 8601; null if the trigger does not poll now. */
  readonly next_at: string | null;
  /** When the last poll ended, ISO 8601, or null. */
  readonly polled_at: string | null;
  /** Number of consecutive failed polls. */
  readonly failures: number;
  /** Why the last poll failed, or null. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Triggers whose next poll is due, by its time. */
export const POLL_LIST = "triggers.polling";
export const triggerKey = (triggerId: string): Key => `trigger:${triggerId}`;
export const isTriggerKey = (key: string | undefined) => key?.startsWith("trigger:") === true;
/** Binds a ciphertext to its trigger, so that it cannot be moved within the storage. */
export const boundTo = ({ app_id, id }: TriggerState) => JSON.stringify([app_id, "trigger", id]);
export const triggersOf = (appId: string) => `triggers.${appId}`;

/** The part of a collection that contains its triggers. */
interface Holder {
  readonly id: string;
  readonly app_id: string;
  readonly triggers: readonly Trigger[];
}

export interface TriggerStates {
  /** The changes to commit with a collection. @param before The triggers that it had. */
  changes(holder: Holder, before: readonly Trigger[]): Promise<Change[]>;
  /** Call this when triggers have been stored, with the arguments of `changes`. */
  committed(holder: Holder, before: readonly Trigger[]): void;
  /** Sets the function to call when a poll may be due. */
  onPollDue(listener: () => void): void;
  /** Sets the function to call when a trigger was enabled or removed, so that its paused deliveries are handled. */
  onResumed(listener: (triggerId: string) => void): void;
}

export function createTriggerStates(parts: { store: Store; clock: Clock; types: TriggerTypes }): TriggerStates {
  const { store, clock, types } = parts;
  let pollDue = () => {};
  let resumed = (_triggerId: string) => {};

  function polls({ type: name, enabled, connection_id }: Trigger): boolean {
    const type = types.find(name);
    return enabled && typeof type !== "string" && pollsWith(type, connection_id);
  }

  /** The polls of a trigger that was created or changed. The next one is due at once. */
  function pollOf(trigger: Trigger, stored: PollState | null, isSameSource: boolean): PollState | null {
    if (!polls(trigger)) return stored === null ? null : { ...stored, next_at: null };
    const next_at = instant(clock.now());
    if (stored !== null && isSameSource) return { ...stored, next_at };
    return { cursor: null, next_at, polled_at: null, failures: 0, error: null };
  }

  return {
    async changes({ id: collection_id, app_id, triggers }, before) {
      const earlier = new Map(before.map((trigger) => [trigger.id, trigger]));
      const kept = new Set(triggers.map(({ id }) => id));
      const added = triggers.filter(({ id }) => !earlier.has(id));
      const changed = triggers.filter((trigger) => {
        const old = earlier.get(trigger.id);
        return old !== undefined && (polls(old) || polls(trigger)) && whole(old) !== whole(trigger);
      });
      const gone = before.filter(({ id }) => !kept.has(id));
      const affected = [...changed, ...gone];
      const stored = await store.getMany<TriggerState>(affected.map(({ id }) => triggerKey(id)));
      return [
        ...added.map((trigger) => {
          const poll = pollOf(trigger, null, false);
          return stateChange({ id: trigger.id, app_id, collection_id, secrets: [], poll }, undefined);
        }),
        ...affected.flatMap((trigger, index) => {
          const state = stored[index] ?? null;
          if (state === null) return [];
          const { document, version } = state;
          if (!kept.has(trigger.id)) return [stateDeletion(document, version)];
          const old = earlier.get(trigger.id);
          const isSameSource = old !== undefined && source(old) === source(trigger);
          return [stateChange({ ...document, poll: pollOf(trigger, document.poll, isSameSource) }, version)];
        }),
      ];
    },

    committed({ triggers }, before) {
      if (triggers.some(polls)) pollDue();
      const disabled = new Set(triggers.filter(({ enabled }) => !enabled).map(({ id }) => id));
      for (const { id, enabled } of before) if (!enabled && !disabled.has(id)) resumed(id);
    },

    onPollDue(listener) {
      pollDue = listener;
    },

    onResumed(listener) {
      resumed = listener;
    },
  };
}

const whole = ({ type, config, enabled, connection_id }: Trigger) =>
  JSON.stringify([type, config, enabled, connection_id ?? null]);
/** The settings that a cursor belongs to. */
const source = ({ type, config, connection_id }: Trigger) =>
  JSON.stringify([type, settingsOf(config), connection_id ?? null]);

export function stateChange(state: TriggerState, expected: number | undefined): Change {
  const { id, app_id, poll } = state;
  const rows = [{ list: triggersOf(app_id), put: { id } }, dueRow(POLL_LIST, id, poll?.next_at ?? null)];
  return { key: triggerKey(id), document: state, expected, rows };
}

export function stateDeletion({ id, app_id }: TriggerState, expected: number): Change {
  const rows = [triggersOf(app_id), POLL_LIST].map((list) => ({ list, delete: id }));
  return { key: triggerKey(id), document: null, expected, rows };
}
