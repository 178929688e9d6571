/** createStepwell: puts the parts together. The only file that knows all of them; it contains no logic. */
import { nodeHash } from "../adapters/crypto/node-hash.ts";
import { createResponse } from "../adapters/http/json-response.ts";
import type { Api } from "./api/api.ts";
import { createApi } from "./api/create-api.ts";
import { acceptTypedData, createRecordTransfers } from "./api/record-transfers.ts";
import { routeFunctions } from "./api/route-functions.ts";
import { allRoutes, routes } from "./api/route-table.ts";
import type { CollectionsWith, TriggersWith, TriggerWith } from "./api/typed/typed-triggers.ts";
import type { TypedRuns, WorkflowsWith } from "./api/typed/typed-workflows.ts";
import { createAppStream } from "./app-stream/app-stream.ts";
import { createChangeStore } from "./app-stream/change-store.ts";
import { createGetMe } from "./apps/me.ts";
import { type ActingUserInput, type Caller, checkedUser } from "./calls/caller.ts";
import type { TriggerInput } from "./collections/triggers/trigger.ts";
import type { AnyTriggerType } from "./collections/triggers/trigger-type.ts";
import { composeFeed } from "./compose/app-stream.ts";
import { createBackgroundJobs } from "./compose/background-jobs.ts";
import { composeCluster } from "./compose/cluster.ts";
import { composeConsole } from "./compose/console.ts";
import { composeDefinitions } from "./compose/definitions.ts";
import { composeWatches } from "./compose/deletions.ts";
import { composeEngine } from "./compose/engine.ts";
import { createShutdown } from "./compose/shutdown.ts";
import { createDataSlices, createDefinitionSlices, createRunSlices } from "./compose/slices.ts";
import { type Base, openStorage } from "./compose/storage.ts";
import { reportLoad } from "./compose/telemetry.ts";
import { composeWebhooks, createWebhookEvents } from "./compose/webhooks.ts";
import type { SignInLink, SignInLinkCreate } from "./console/sign-in.ts";
import type { CallingStep } from "./engine/execution/step-context.ts";
import { createVersionUses } from "./engine/state/version-uses.ts";
import { createEventStore } from "./events/event-store.ts";
import { createListeners, type On } from "./events/listeners.ts";
import { createHealth } from "./health/health.ts";
import { createHandler, type Handler } from "./http/handler.ts";
import { createIds } from "./ids.ts";
import { createMcp } from "./mcp/mcp.ts";
import { createGuardedFetch } from "./net/guarded-fetch.ts";
import { createReference } from "./openapi/reference.ts";
import { configuredOf } from "./options/configured.ts";
import { consoleLogger } from "./options/console-logger.ts";
import { createLoadedAdapters } from "./options/default-adapters.ts";
import type { Options } from "./options/options.ts";
import { safeLogger } from "./options/safe-logger.ts";
import { settingsOf } from "./options/settings.ts";
import { warnOfShortKey } from "./options/warn-of-short-key.ts";
import type { AnyService } from "./services/service.ts";
import type { OutputsOf, StepWith } from "./services/service-step-types.ts";
import { createSummarize } from "./summary/summarize.ts";
import { createBackground } from "./time/background.ts";
import { systemClock } from "./time/system-clock.ts";

/**
 * A Stepwell instance, as {@link createStepwell} returns it. If you pass `services` or `triggers`, TypeScript checks
 * service steps and triggers against them and the built-in ones. Pass `services: []` to check against the built-in
 * services alone.
 */
export type Stepwell<
  Services extends readonly AnyService[] = readonly AnyService[],
  Triggers extends readonly AnyTriggerType[] = readonly AnyTriggerType[],
> = StepwellOf<StepWith<Services>, TriggerWith<Triggers>, OutputsOf<Services>>;

/** A Stepwell instance that accepts these steps and triggers, and knows these outputs of actions. */
export interface StepwellOf<Accepted, Triggers = TriggerInput, Outputs = unknown>
  extends Omit<Api, "workflows" | "runs" | "collections" | "triggers">,
    Instance {
  /** Workflows with their drafts and versions. */
  readonly workflows: WorkflowsWith<Accepted, Outputs>;
  /** Runs of workflows. */
  readonly runs: TypedRuns;
  /** Collections of records. */
  readonly collections: CollectionsWith<Triggers>;
  /** Triggers of collections, their signature settings, and the events that they received. */
  readonly triggers: TriggersWith<Triggers>;
  /**
   * Returns the same functions on behalf of one of your users: versions, runs and record histories then name the user.
   * This does not restrict what the functions can do. Over HTTP, keys with the scope `users:act` send the header
   * `Stepwell-User`.
   * @throws StepwellError `invalid` for an invalid id or name
   * @example `await stepwell.as({ id: "u_17", name: "Ann" }).workflows.deploy(app.id, workflow.id)`
   */
  as(user: ActingUserInput): Pick<StepwellOf<Accepted, Triggers, Outputs>, keyof Api>;
}

/** What an instance has besides the functions of the API. */
export interface Instance {
  /**
   * Subscribes a listener to events: `stepwell.on("record.updated", (event) => …)`. {@link On} describes when Stepwell
   * calls it.
   */
  readonly on: On;
  /**
   * Handles an HTTP request. Never rejects and needs no `this`: pass it to `Bun.serve` or `Deno.serve`, or wrap it with
   * `toNodeHandler` of `stepwell/http/node`.
   */
  readonly fetch: Handler;
  /** The web console. */
  readonly console: {
    /**
     * Creates an address that opens the console in a browser, signed in. It can be opened once. Show it only to the person
     * it is for.
     * @throws StepwellError `not_configured` without the option `console`; `not_found` for an unknown app; `invalid`
     * @example `const { url } = await stepwell.console.createSignIn({ app_id: app.id, name: "Ann" })`
     */
    createSignIn(options: SignInLinkCreate): Promise<SignInLink>;
  };
  /**
   * Resolves when Stepwell has resumed all work of an earlier process: runs, runs that wait for files, timers,
   * schedules, triggers, record rules and webhooks. It retries storage errors every 10 seconds or sooner, so it stays
   * pending while another process owns the storage. App events that were emitted before are delivered afterwards, in the
   * background. You don't need to await it before other calls. `GET /health` lists the parts that are not ready.
   * @throws StepwellError `unavailable` if the instance is closed first
   */
  ready(): Promise<void>;
  /**
   * Stores pending changes and releases the storage. Waits up to 10 seconds for running steps and settles within 20
   * seconds even if the storage hangs. Keeps the process alive until then. Unfinished runs resume at the next start.
   * Later calls reject with `unavailable`.
   */
  close(): Promise<void>;
}

/**
 * Creates an instance. A process can have several: Stepwell has no global state and reads no environment variables.
 * Unfinished runs of an earlier process resume automatically.
 *
 * @throws StepwellError `invalid` for an unknown or invalid option
 * @example
 * ```ts
 * const stepwell = createStepwell({ storage: { entities: fsDriver({ base: ".stepwell" }) } });
 * ```
 */
export function createStepwell<
  const Services extends readonly AnyService[],
  const Triggers extends readonly AnyTriggerType[],
>(options?: Options<Services, Triggers>): Stepwell<Services, Triggers>;
export function createStepwell(options: Options = {}): Api & Instance & { as(user: ActingUserInput): Api } {
  const { secrets, ...settings } = settingsOf(options);
  const { clock = systemClock, adminKey, cors, telemetry } = options;
  const logger = options.logger === undefined ? consoleLogger : safeLogger(options.logger);
  const { ids = createIds(clock), net: { allow = [] } = {} } = options;
  const ports = { clock, ids, logger, hash: nodeHash };
  warnOfShortKey(adminKey, logger);
  const isShared = options.cluster !== undefined;
  const storage = openStorage(options.storage ?? {}, { ...ports, telemetry, isShared });
  const { blobs, deletedApps, uses, guards } = storage;
  const listeners = createListeners(ports);
  const { index, stamps, outbox } = createWebhookEvents({ ...storage, isShared }, () => outgoing.wake(""));
  const onRecovered = () => background.retryNow();
  const feed = composeFeed(ports);
  const stored = createEventStore({ ...ports, store: storage.store, listeners, outbox, onRecovered });
  const store = createChangeStore({ ...ports, store: stored, feed });
  const background = createBackground({ ...ports, open: () => store.probe() });
  const sharing = composeCluster(options.cluster, {
    ...{ ...ports, store, background },
    engine: () => engine,
  });
  const { cluster, duties } = sharing;
  feed.connect(cluster);
  const watches = composeWatches({ store, cluster, deletedApps });
  const shared = { store, blobs, deletedApps, uses, guards, watches, cluster, duties };
  const base: Base = { ...ports, ...settings, ...shared };
  const adapters = createLoadedAdapters(options);
  const fetch = options.fetch ?? createGuardedFetch({ dial: adapters.dial, allow });

  const host = { options, adapters, fetch, secrets };
  const data = createDataSlices(base, host, {
    onAppDeleted: (appId) => jobs.purgeDeletedApp(appId),
    onFileReceived: ({ id }) => void engine.onFileReceived(id),
  });
  const defined = {
    ...data,
    ...createDefinitionSlices(base, host, data, {
      onIndexesChanged: (collectionId) => running.buildIndexes(collectionId),
      onWorkflowDeleted: (workflowId) => jobs.purgeVersions(workflowId),
    }),
  };
  const stepwell = ({ nesting, ...step }: CallingStep) => {
    const caller: Caller = { kind: "host", nesting, step };
    const records = routeFunctions(routes.records, slices, caller);
    const events = routeFunctions(routes.events, slices, caller);
    return { ...api, events, records: acceptTypedData({ ...records, ...createRecordTransfers(slices, caller) }) };
  };
  const versionUses = createVersionUses({ ...base, isShared });
  const engine = composeEngine(base, defined, { background, fetch, telemetry, stepwell, versionUses });
  const running = createRunSlices(base, defined, { executor: engine, background, fetch });
  const outgoing = composeWebhooks(base, host, defined, { index, stamps, background });
  const { webhooks } = outgoing;
  const known = { ...defined, ...running, webhooks };
  const transfer = composeDefinitions(base, known, outgoing.prepareWebhooks);
  const reference = createReference(base);
  const getMe = createGetMe({ ...data, configured: configuredOf(options) });
  const mcp = createMcp({
    ...{ server: options.mcp, apps: data.apps, keys: data.keys },
    apiFor: (caller) => createApi({ ...slices, ids }, caller),
    bodyBytes: base.limits.bodyBytes,
  });
  const health = createHealth({ ...base, background, jobProblem: sharing.jobProblem });
  const { console, identifySession, createSignIn } = composeConsole(base, { ...data, options });
  const appStream = createAppStream({ ...data, feed });
  const summarize = createSummarize(base);
  const slices = { ...known, ...transfer, appStream, summarize, getMe, reference, mcp, console, health };
  const jobs = createBackgroundJobs(base, slices, { executor: engine, webhooks: outgoing.purge, versionUses });

  // Created with the first request: a program that only calls service functions needs no router.
  let handler: Handler | undefined;
  const startHandler = () => {
    const { bodyBytes, bodyIdleMs } = base.limits;
    const access = { adminKey, identifySession, cors, bodyBytes, bodyIdleMs };
    return createHandler({ ...base, ...access, routes: allRoutes, slices, createResponse });
  };
  const answer: Handler = (request, given) => {
    handler ??= startHandler();
    return handler(request, given);
  };

  reportLoad({ telemetry, logger }, () => ({ ...engine.load(), cluster: sharing.load() }));
  void background.opened.then(jobs.start);
  background.start("run timers", engine.startTimers);
  background.start("schedules", running.scheduleTimers.start);
  for (const [part, resume] of Object.entries(engine.resumes)) duties.addOfOthers(part, resume);
  duties.add("events", running.eventDeliveries.start);
  duties.add("record rules", running.ruleRuns.resume);
  duties.add("jobs", running.jobs.resume);
  duties.add("triggers", running.triggerHandling.start);
  duties.add("polls of triggers", running.triggerPolls.start);
  duties.add("webhooks", outgoing.resume);
  duties.add("deletions", running.releaseUsers.resume);
  duties.add("record indexes", running.indexBuilder.resume);
  sharing.start();

  const close = createShutdown({
    clock,
    async stop(limits) {
      await Promise.race([sharing.stop(), limits.stepsTimeUp]);
      await Promise.race([jobs.stop(), limits.stepsTimeUp]);
      const stopped = background.stop();
      feed.close();
      running.triggerEvents.stop();
      const { scheduleTimers, eventDeliveries, triggerPolls, triggerHandling, ruleRuns, indexBuilder } = running;
      const collecting = [triggerPolls, triggerHandling, ruleRuns, indexBuilder];
      const parts = [running.jobs, scheduleTimers, eventDeliveries, ...collecting, outgoing];
      const timers = parts.map((part) => part.stop());
      await Promise.race([Promise.all(timers), limits.stepsTimeUp]);
      await Promise.all([engine.close(limits), data.partialUploads.close()]);
      await data.closeBlobs(); // running steps store theirs first
      await stopped;
      await sharing.leave(limits.storageTimeUp);
    },
    closeAdapters: adapters.close,
    closeStorage: storage.close,
  });

  const api = createApi({ ...slices, ids });
  return {
    ...api,
    as: (user) => createApi({ ...slices, ids }, { kind: "host", user: checkedUser(user) }),
    on: listeners.on,
    console: { createSignIn },
    fetch: answer,
    ready: background.ready,
    close,
  };
}
