/** Links through which a browser follows one run without an API key. */
import * as v from "valibot";
import type { Receipt } from "../documents/receipt.ts";
import { createSecretLinks, type SecretLink, unknownLink } from "../documents/secret-links.ts";
import { isStepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store } from "../ports/store.ts";
import { jsonValue, list, secondsUpTo, strictObject } from "../schema.ts";
import { RUN_STATUSES, type Run } from "./run.ts";
import type { RunEvent } from "./run-event.ts";
import { STEP_STATUSES } from "./run-step.ts";
import type { Runs } from "./runs.ts";

export const RunLinkCreate = strictObject({
  /** Seconds until the link expires, from 1 to 2,592,000 (30 days). @default 604,800 (7 days) */
  expires_in: v.exactOptional(secondsUpTo(30, 1)),
  /** Whether the link also shows the output of the run, which a key may only with `runs:read`. @default false */
  output: v.exactOptional(v.boolean()),
});
/** Settings of a new link to a run. */
export interface RunLinkCreate extends v.InferOutput<typeof RunLinkCreate> {}

export const RunLink = v.object({
  /** `link_…` */
  id: v.string(),
  /** URL that returns the run as JSON or, with `Accept: text/event-stream`, its events. */
  url: v.string(),
  /** When the link expires, ISO 8601. */
  expires_at: v.string(),
});
/** A link through which a browser follows a run without an API key. */
export interface RunLink extends Readonly<v.InferOutput<typeof RunLink>> {}

export const FollowedRun = v.object({
  /** Status of the run. */
  status: v.picklist(RUN_STATUSES),
  /** ISO 8601. */
  created_at: v.string(),
  /** ISO 8601; null before. */
  started_at: v.nullable(v.string()),
  /** ISO 8601; null before. */
  finished_at: v.nullable(v.string()),
  /** The steps with their statuses. */
  steps: list(
    v.object({
      /** Key of the step. */
      key: v.string(),
      /** Type of the step. */
      type: v.string(),
      /** Status of the step. */
      status: v.picklist(STEP_STATUSES),
    }),
  ),
  /** Output of the run. Only if the link shows it. */
  output: v.exactOptional(jsonValue),
});
/** A run as its link shows it: without input, outputs of steps, errors and logs. */
export interface FollowedRun extends Readonly<v.InferOutput<typeof FollowedRun>> {}

const FOLLOWED_EVENTS = [
  "step.started",
  "step.waiting",
  "step.succeeded",
  "step.failed",
  "step.skipped",
  "step.canceled",
  "run.succeeded",
  "run.failed",
  "run.canceled",
] as const satisfies readonly RunEvent["type"][];

export const FollowedRunEvent = v.object({
  /** Number of a stored event. Absent in `step.started` and `step.waiting`. */
  id: v.exactOptional(v.number()),
  /** Type of the event. */
  type: v.picklist(FOLLOWED_EVENTS),
  /** Id of the run. */
  run_id: v.string(),
  /** Key of the step. Only in step events. */
  step: v.exactOptional(v.string()),
  /** With `for_each`: index of the item. Only in `step.started`. */
  item: v.exactOptional(v.number()),
  /** When it happened, ISO 8601; null for a step that never became ready. */
  at: v.nullable(v.string()),
  /** Output of the run. Only in `run.succeeded`, if the link shows it and it is not longer than 16 KiB. */
  output: v.exactOptional(jsonValue),
});
/** An event of a run as its link shows it: without outputs of steps, errors, logs and texts of models. */
export interface FollowedRunEvent extends Readonly<v.InferOutput<typeof FollowedRunEvent>> {}

interface RunLinkDocument extends SecretLink {
  readonly run_id: string;
  readonly output: boolean;
}

export interface RunLinks {
  /** @throws StepwellError `not_found` */
  create(appId: string, runId: string, input: RunLinkCreate, receipt: Receipt): Promise<RunLink>;
  /** Revokes a link. @throws StepwellError `not_found` */
  remove(appId: string, runId: string, linkId: string): Promise<void>;
  /** @throws StepwellError `not_found`, `link_expired` */
  show(token: string): Promise<FollowedRun>;
  /** The app of the run, and its events as the link shows them. @throws StepwellError `not_found`, `link_expired` */
  open(token: string): Promise<{
    readonly app_id: string;
    readonly hasEnded: boolean;
    events(after: number, signal: AbortSignal): AsyncGenerator<FollowedRunEvent>;
  }>;
}

export function createRunLinks(parts: {
  store: Store;
  clock: Clock;
  ids: Pick<Ids, "random">;
  hash: Hash;
  runs: Pick<Runs, "get" | "events">;
  /** @throws StepwellError `not_found` */
  getApp(appId: string): Promise<unknown>;
  /** Start of `url`, without a trailing slash. */
  baseUrl: string;
}): RunLinks {
  const { store, runs, baseUrl } = parts;
  const links = createSecretLinks<RunLinkDocument>({ ...parts, kind: "run-link" });

  async function find(token: string): Promise<{ readonly link: RunLinkDocument; readonly run: Run }> {
    const link = await links.open(token);
    try {
      return { link, run: await runs.get(link.app_id, link.run_id) };
    } catch (error) {
      throw isStepwellError(error, "not_found") ? unknownLink() : error; // the run was deleted
    }
  }

  /** A stream that began while the link was valid shows nothing more once it is revoked or has expired. */
  const isOpen = (token: string) =>
    links.open(token).then(
      () => true,
      (error: unknown) => {
        if (isStepwellError(error, "not_found") || isStepwellError(error, "link_expired")) return false;
        throw error;
      },
    );

  return {
    async create(appId, runId, { expires_in, output = false }, receipt) {
      await runs.get(appId, runId);
      const { id, token, expires_at, change } = links.issue({ app_id: appId, run_id: runId, output }, expires_in);
      const link: RunLink = { id, url: `${baseUrl}/public/apps/runs/${token}`, expires_at };
      await store.commit([change, ...receipt(link)]);
      return link;
    },

    remove: (appId, runId, linkId) => links.remove(linkId, (link) => link.app_id === appId && link.run_id === runId),

    async show(token) {
      const { link, run } = await find(token);
      const { status, created_at, started_at, finished_at, output } = run;
      const steps = run.steps.map(({ key, type, status: of }) => ({ key, type, status: of }));
      const times = { created_at, started_at, finished_at };
      return { status, ...times, steps, ...omitUndefined({ output: link.output ? output : undefined }) };
    },

    async open(token) {
      const { link, run } = await find(token);
      async function* events(after: number, signal: AbortSignal): AsyncGenerator<FollowedRunEvent> {
        for await (const event of await runs.events(link.app_id, link.run_id, after, signal)) {
          if (event.type === "step.log" || event.type === "step.delta" || event.type === "step.retrying") continue;
          if (!(await isOpen(token))) return;
          yield shownEvent(event, link.output);
        }
      }
      return { app_id: link.app_id, hasEnded: run.finished_at !== null, events };
    },
  };
}

type ShownRunEvent = Extract<RunEvent, { readonly type: FollowedRunEvent["type"] }>;

/** What followers see of an event, with and without its output. They share the object, and so its text. */
const shown = { full: new WeakMap<RunEvent, FollowedRunEvent>(), bare: new WeakMap<RunEvent, FollowedRunEvent>() };

function shownEvent(event: ShownRunEvent, hasOutput: boolean): FollowedRunEvent {
  const views = hasOutput ? shown.full : shown.bare;
  const view = views.get(event) ?? viewOf(event, hasOutput);
  views.set(event, view);
  return view;
}

function viewOf(event: ShownRunEvent, hasOutput: boolean): FollowedRunEvent {
  const { id, type, run_id, at } = event;
  return omitUndefined({
    id,
    type,
    run_id,
    step: "step" in event ? event.step : undefined,
    item: event.type === "step.started" ? event.item : undefined,
    at,
    output: hasOutput && event.type === "run.succeeded" ? event.output : undefined,
  });
}
