/** Puts the parts together: the only file that knows all of them, and no logic. */
import { nodeHash } from "../adapters/crypto/node-hash.ts";
import memoryDriver from "../adapters/storage/memory.ts";
import type { Api } from "./api/api.ts";
import { createInProcessFunctions } from "./api/in-process-functions.ts";
import { routeFunctions } from "./api/route-functions.ts";
import { allRoutes, routes } from "./api/route-table.ts";
import { createApps } from "./apps/apps.ts";
import { createKeys } from "./apps/keys.ts";
import { createRemovedApps } from "./apps/purge-apps.ts";
import { createRuleErrors } from "./collections/check-rules.ts";
import { createCollections } from "./collections/collections.ts";
import { createRemoveRecords } from "./collections/records/purge-records.ts";
import { createRecordViews } from "./collections/records/record-view.ts";
import { createRecords } from "./collections/records/records.ts";
import { createRuleRuns } from "./collections/records/run-rules.ts";
import { createClaims } from "./collections/records/unique-keys.ts";
import { createTags } from "./collections/tags.ts";
import { createConnections } from "./connections/connections.ts";
import { createExpiry } from "./documents/expiring-documents.ts";
import { createSecrets } from "./encryption/encryption.ts";
import { createVersionCache } from "./engine/compile/version-cache.ts";
import { createRetention } from "./engine/dispatch/retention.ts";
import { createEngine } from "./engine/engine.ts";
import { createEffects } from "./engine/execution/step-effects.ts";
import { createWebPages } from "./engine/steps/web-page.ts";
import { createStoreFile } from "./files/create-file.ts";
import { createReadContents } from "./files/extract-contents.ts";
import { createFileLinks } from "./files/file-links.ts";
import { createFiles } from "./files/files.ts";
import { createLooseBlobs } from "./files/orphan-blobs.ts";
import { createReadFile } from "./files/read-file.ts";
import { createHealth, PROBE } from "./health/health.ts";
import { createWebhooks } from "./hooks/deliveries.ts";
import { createHooks } from "./hooks/hook-registry.ts";
import { createSignatures } from "./hooks/signatures.ts";
import { createHandler, type Handler } from "./http/handler.ts";
import { createIds } from "./ids.ts";
import { createPermitted } from "./net/allowed-addresses.ts";
import { createGuardedFetch } from "./net/guarded-fetch.ts";
import { consoleLogger } from "./options/console-logger.ts";
import { createLoadedAdapters } from "./options/default-adapters.ts";
import { type Options, settingsOf } from "./options/options.ts";
import { createDescribeWorkflow } from "./runs/describe-workflow.ts";
import { createPrepareRun } from "./runs/prepare-run.ts";
import { createCompleteInput, createNamedErrors } from "./runs/resolve-input.ts";
import { createRuns } from "./runs/runs.ts";
import { createInputErrors } from "./schedules/check-input.ts";
import { createSchedules } from "./schedules/schedules.ts";
import { createFiring } from "./schedules/trigger-runs.ts";
import { createServices } from "./services/registry.ts";
import type { AnyService } from "./services/service.ts";
import type { StepWith, WorkflowsWith } from "./services/step-types.ts";
import { createBlobs } from "./storage/blobs/blobs.ts";
import { createOwnership } from "./storage/driver/ownership.ts";
import { createDriverStore } from "./storage/store.ts";
import { createBackground } from "./time/startup-tasks.ts";
import { systemClock } from "./time/system-clock.ts";
import { createFileCleaning } from "./uploads/cleanup-jobs.ts";
import { createPurgeUploads } from "./uploads/purge-uploads.ts";
import { createUnfinishedUploads } from "./uploads/resumable/partial-uploads.ts";
import { createResumable } from "./uploads/resumable/resumable-uploads.ts";
import { createUploadAddresses } from "./uploads/upload-urls.ts";
import { createUploads } from "./uploads/uploads.ts";
import { createCheckDefinition } from "./workflows/validation/check-definition.ts";
import { createVersions } from "./workflows/versions.ts";
import { createWorkflows } from "./workflows/workflows.ts";

/** The service; where services are given at construction, it only takes steps that they can carry out. */
export type Stepwell<Services extends readonly AnyService[] = readonly AnyService[]> = StepwellOf<StepWith<Services>>;

/** The service, by the steps that it takes. */
export interface StepwellOf<Accepted> extends Omit<Api, "workflows"> {
  readonly workflows: WorkflowsWith<Accepted>;
  /**
   * Answers every endpoint. Never rejects. Give it to `Bun.serve` or `Deno.serve` as it is, or to `toNodeHandler` of
   * `stepwell/http/node`; it needs no `this`.
   */
  readonly fetch: Handler;
  /**
   * Settles when everything that an earlier process left has been taken up: its runs, those that wait for files, timers,
   * schedules, and rules of records. What storage does not answer is tried again, with pauses of up to 10 seconds, until
   * it succeeds, so this may take as long as another process still holds the storage. Calls need not wait for it.
   * `GET /health` says which parts are not ready.
   * @throws StepwellError `unavailable` when the service is closed before.
   */
  ready(): Promise<void>;
  /** Stores what is under way and lets go of the storage. Runs that have not ended go on with the next start. */
  close(): Promise<void>;
}

/** Milliseconds that `close` waits for steps that are under way. */
const GRACE = 10_000;

/**
 * Makes a service. Two of them can live in one process; nothing is global and nothing is read from the environment.
 * Runs that an earlier process left go on by themselves.
 *
 * @example
 * ```ts
 * const stepwell = createStepwell({ storage: { entities: fsDriver({ base: ".stepwell" }) } });
 * ```
 */
export function createStepwell<const Services extends readonly AnyService[]>(
  options?: Options<Services>,
): Stepwell<Services>;
export function createStepwell(options: Options = {}): Stepwell {
  const { baseUrl, limits, secrets } = settingsOf(options);
  const { clock = systemClock, logger = consoleLogger, adminKey, cors, net } = options;
  const hash = nodeHash;
  const { ids = createIds(clock), storage = {} } = options;

  const driver = storage.entities ?? memoryDriver();
  const { checkpointRecords } = storage;
  const ownership = createOwnership({ driver, clock, logger });
  const store = createDriverStore({ driver, ownership, clock, logger, hash, options: { checkpointRecords } });
  const blobs = createBlobs({ driver: storage.blobs ?? ownership.driver, ownership, hash, clock, logger });
  const background = createBackground({ clock, logger, open: () => store.get(PROBE) });
  const allow = net?.allow ?? [];
  const adapters = createLoadedAdapters(options);
  const { sandbox, extractor } = adapters;
  const fetch = options.fetch ?? createGuardedFetch({ dial: adapters.dial, allow });

  const apps = createApps({ store, clock, ids, removed: () => removedApps.again() });
  const keys = createKeys({ store, clock, ids, hash });
  const tags = createTags({ store, clock, ids });
  const loose = createLooseBlobs({ store, blobs, clock, ids, logger });
  const files = createFiles({ store, blobs, loose, clock });
  const fileLinks = createFileLinks({ store, clock, ids, hash, files, getApp: apps.get, baseUrl });
  const addresses = createUploadAddresses({
    ...{ store, clock, getApp: apps.get },
    received: ({ id }) => void engine.fileCame(id),
  });
  const unfinished = createUnfinishedUploads({ store, loose, clock, logger });
  const within = { addresses, unfinished, blobs, clock, ids, baseUrl };
  const uploads = createUploads({ ...within, store, loose, fetch, fileLimit: limits.file });
  const resumable = createResumable({ ...within, hash });

  const storeFile = createStoreFile({ store, blobs, loose, clock, ids, hash });
  const fileContents = createReadContents({ files, storeFile, extractor });

  const permitted = createPermitted(allow);
  const pages = createWebPages({ browser: options.browser, fetch, permitted, extractor });
  const services = createServices(options.services ?? [], { webSearch: options.webSearch });
  const sealing = createSecrets(secrets);
  const connections = createConnections({
    ...{ store, clock, ids, secrets: sealing },
    schemaOf: services.connectionOf,
  });
  const namedErrors = createNamedErrors({ findFiles: files.find, findConnections: connections.find });
  const compiled = createVersionCache({
    clock,
    services,
    code: { sandbox, limits: limits.code },
    pages,
    models: { ...adapters.models, time: limits.modelAnswer },
  });
  const hooks = createHooks({ store, clock, hash });
  const workflows = createWorkflows({
    ...{ store, clock, ids },
    givenBack: async ({ app_id, id, latest_version_id }) => {
      const deployed = latest_version_id === null ? null : await versions.find(latest_version_id);
      return deployed === null ? [] : hooks.changes(app_id, id, deployed.steps, []);
    },
  });
  const check = createCheckDefinition({
    compile: compiled.check,
    getWorkflow: workflows.get,
    getVersion: (appId, workflowId, version) => versions.get(appId, workflowId, version),
    getConnection: connections.get,
    namedErrors,
  });
  const versions = createVersions({ store, clock, ids, workflows, check, hooks, findAction: services.find });
  const ruleErrors = createRuleErrors({ getWorkflow: workflows.get, getVersion: versions.get, namedErrors });
  const collections = createCollections({ store, clock, ids, apps, tags, ruleErrors, namedErrors, baseUrl });
  const completeInput = createCompleteInput({
    findFiles: files.find,
    findConnections: connections.find,
    findExpected: uploads.expected,
  });
  const prepare = createPrepareRun({ ids, getApp: apps.get, versionForRun: versions.forRun, completeInput });
  const engine = createEngine({
    ...{ store, clock, logger, background, limits, compiled, completeInput },
    telemetry: options.telemetry,
    isAppThere: apps.isThere,
    findVersion: versions.find,
    findFiles: files.find,
    effects: (executor) =>
      createEffects({
        ...{ executor, background, clock, logger, prepare, hash, fetch },
        fileContents,
        readFile: createReadFile(files),
        getWorkflow: workflows.get,
        describeWorkflow: createDescribeWorkflow({ getWorkflow: workflows.get, versionForRun: versions.forRun }),
        openConnection: connections.open,
        stepwell: (depth) => ({ ...api, records: routeFunctions(routes.records, slices, { kind: "host", depth }) }),
      }),
  });
  const runs = createRuns({
    ...{ store, clock, prepare, completeInput, fileContents },
    executor: engine,
    findVersion: versions.find,
    requireWorkflow: workflows.get,
  });

  const claims = createClaims({ store, hash });
  const views = createRecordViews(tags);
  const ruleRuns = createRuleRuns({
    ...{ store, clock, logger, background, prepare, executor: engine },
    getCollection: (appId, collectionId) => collections.get(appId, collectionId, false),
    view: views.one,
  });
  const records = createRecords({ store, clock, ids, hash, collections, tags, claims, views, rules: ruleRuns });

  const firing = createFiring({ store, clock, logger, prepare, executor: engine });
  const schedules = createSchedules({
    ...{ store, clock, ids, hash },
    requireWorkflow: workflows.get,
    inputErrors: createInputErrors({ getVersion: versions.get }),
    wake: firing.set,
  });

  const latest = (appId: string, workflowId: string) => versions.forRun(appId, workflowId, "latest");
  const signatures = createSignatures({ store, clock, ids, hash, secrets: sealing, hooks, baseUrl });
  const webhooks = createWebhooks({ store, clock, hash, hooks, signatures, runs, latest, bodyLimit: limits.body });

  const slices = {
    apps,
    keys,
    workflows,
    versions,
    runs,
    webhooks,
    signatures,
    services,
    schedules,
    connections,
    uploads,
    resumable,
    files,
    fileLinks,
    collections,
    records,
    tags,
    health: createHealth({ background, clock, store }),
  };
  const http = {
    routes: allRoutes,
    slices,
    baseUrl,
    adminKey,
    cors,
    bodyLimit: limits.body,
    bodyIdle: limits.bodyIdle,
  };
  // A program that only calls service functions needs no router.
  let handler: Handler | undefined;
  const answer: Handler = (request, host) => {
    handler ??= createHandler({ ...http, store, ids, clock, hash, logger });
    return handler(request, host);
  };

  const expiry = createExpiry({ store, clock, logger });
  const keeping = { keep: limits.keepRuns, apps: apps.ids, cancel: engine.cancel };
  const retention = createRetention({ store, clock, logger, ...keeping });
  const fileCleaning = createFileCleaning({ clock, logger, files, loose, unfinished });
  const removedApps = createRemovedApps({
    store,
    clock,
    logger,
    purges: [
      keys.removeAll,
      createRemoveRecords({ store, claims }),
      schedules.removeAll,
      connections.removeAll,
      hooks.removeAll,
      retention.removeAll,
      createPurgeUploads({ store, unfinished }),
      files.removeAll,
    ],
  });
  const cleaning = [expiry, retention, ...fileCleaning, removedApps];
  void background.opened.then(() => {
    for (const job of cleaning) job.start();
  });
  engine.resume();
  background.start("schedules", firing.start);
  background.start("record rules", ruleRuns.resume);

  const inProcess = createInProcessFunctions({ ...slices, storeFile, fileContents, ids });
  const api: Api = {
    apps: routeFunctions(routes.apps, slices),
    keys: routeFunctions(routes.keys, slices),
    workflows: routeFunctions(routes.workflows, slices),
    schedules: routeFunctions(routes.schedules, slices),
    connections: routeFunctions(routes.connections, slices),
    hooks: routeFunctions(routes.hooks, slices),
    services: routeFunctions(routes.services, slices),
    runs: { ...routeFunctions(routes.runs, slices), ...inProcess.runs },
    files: {
      ...routeFunctions(routes.files, slices),
      createUpload: routeFunctions(routes.uploads, slices).create,
      ...inProcess.files,
    },
    collections: routeFunctions(routes.collections, slices),
    records: routeFunctions(routes.records, slices),
    tags: routeFunctions(routes.tags, slices),
  };
  return {
    ...api,
    fetch: answer,
    ready: background.ready,
    async close() {
      await Promise.all(cleaning.map((job) => job.stop()));
      const stopped = background.stop();
      await Promise.all([firing.stop(), ruleRuns.stop()]);
      await Promise.all([engine.close(GRACE), unfinished.close()]);
      await stopped;
      await adapters.close();
      await store.close();
      await storage.blobs?.dispose?.();
    },
  };
}
