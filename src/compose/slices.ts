/** Creates the slices in the order of their dependencies. */
import { createApps } from "../apps/apps.ts";
import { createKeys } from "../apps/keys.ts";
import { createBulkWrites } from "../collections/bulk/bulk-write.ts";
import { createCheckRules } from "../collections/check-rules.ts";
import { createCollections } from "../collections/collections.ts";
import { createEvaluations } from "../collections/evaluation/evaluate-records.ts";
import { createRecordHistory } from "../collections/history/history.ts";
import { createHistoryWrites } from "../collections/history/history-writes.ts";
import { createPurgeHistory } from "../collections/history/purge-history.ts";
import { createIndexBuilder } from "../collections/indexes/build-indexes.ts";
import { createCheckFiles } from "../collections/records/files/check-files.ts";
import { createShowFiles } from "../collections/records/files/show-files.ts";
import { createRecordViews } from "../collections/records/record-view.ts";
import { createRecordWrites } from "../collections/records/record-writes.ts";
import { createRecords } from "../collections/records/records.ts";
import { createRuleRunner } from "../collections/records/rules/run-rules.ts";
import { createUniqueKeys } from "../collections/records/unique-keys.ts";
import { createWritesInProgress, trackWrites } from "../collections/records/writes-in-progress.ts";
import { createRules } from "../collections/rules/rules.ts";
import { createTags } from "../collections/tags.ts";
import { createExports } from "../collections/transfer/export-records.ts";
import { createImports } from "../collections/transfer/import-records.ts";
import { createContextOfTrigger } from "../collections/triggers/call-type.ts";
import { createCheckTriggers } from "../collections/triggers/check-triggers.ts";
import { createTriggerDeliveries } from "../collections/triggers/deliveries/delivery-log.ts";
import { createHandleDeliveries } from "../collections/triggers/deliveries/handle-deliveries.ts";
import { createStoreEvents } from "../collections/triggers/deliveries/store-events.ts";
import { createFindTrigger } from "../collections/triggers/find-trigger.ts";
import { createPollTriggers } from "../collections/triggers/poll-triggers.ts";
import { createGetPolling } from "../collections/triggers/polling.ts";
import { createReceiveEvents } from "../collections/triggers/receive-events.ts";
import { createTestTrigger } from "../collections/triggers/test-trigger.ts";
import { createTriggerSignatures } from "../collections/triggers/trigger-signatures.ts";
import { createTriggerStates } from "../collections/triggers/trigger-state.ts";
import { createTriggerTypes } from "../collections/triggers/trigger-types.ts";
import { createTriggers } from "../collections/triggers/triggers.ts";
import { createConnections } from "../connections/connections.ts";
import type { Lookups } from "../definitions/transfer/planned-lookups.ts";
import { createReleaseUsers } from "../definitions/usage/release-users.ts";
import { createRemovals } from "../definitions/usage/removals.ts";
import { createSecrets } from "../encryption/encryption.ts";
import { createVersionCache } from "../engine/compile/version-cache.ts";
import { createWebPages } from "../engine/steps/web-page.ts";
import type { File } from "../files/file.ts";
import { createHooks } from "../hooks/hook-registry.ts";
import { createHookSignatures } from "../hooks/hook-signatures.ts";
import { createHookReceiver } from "../hooks/receive-request.ts";
import { createRequestReceipts } from "../hooks/request-receipts.ts";
import { createCheckSenderFiles } from "../hooks/sender-files.ts";
import { createJobs } from "../jobs/jobs.ts";
import { createAddressFilter } from "../net/allowed-addresses.ts";
import type { LoadedAdapters } from "../options/default-adapters.ts";
import type { Options } from "../options/options.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import { createBulkRuns } from "../runs/bulk-runs.ts";
import { createInspections } from "../runs/inspection/inspections.ts";
import { createPrepareRun } from "../runs/prepare-run.ts";
import { createCompleteInput, createInputReferenceCheck } from "../runs/resolve-input.ts";
import type { Executor } from "../runs/run-executor.ts";
import { createRunLinks } from "../runs/run-links.ts";
import { createRuns } from "../runs/runs.ts";
import { createCheckScheduleInput } from "../schedules/check-input.ts";
import { createSchedules } from "../schedules/schedules.ts";
import { createScheduleTimers } from "../schedules/trigger-runs.ts";
import { createServices } from "../services/registry.ts";
import { createSigningSecrets } from "../signatures/signing-secrets.ts";
import type { Background } from "../time/background.ts";
import { createFindVersion } from "../workflows/find-version.ts";
import { createCheckDefinition } from "../workflows/validation/check-definition.ts";
import { createVersionReader } from "../workflows/version-reader.ts";
import { createVersions } from "../workflows/versions.ts";
import { createWorkflows } from "../workflows/workflows.ts";
import { createEventSlices } from "./app-events.ts";
import { createFileSlices } from "./files.ts";
import { createFormSlices } from "./forms.ts";
import type { Base } from "./storage.ts";

export interface HostParts {
  readonly options: Options;
  readonly adapters: LoadedAdapters;
  readonly fetch: GuardedFetch;
  /** Secrets that encrypt credentials. */
  readonly secrets: readonly string[];
}

export interface DataEvents {
  /** Called when an app has been deleted, so that its data can be deleted. */
  onAppDeleted(appId: string): void;
  /** Called when an upload URL has received its file. */
  onFileReceived(file: File): void;
}

export interface DefinitionEvents {
  /** Called when indexes of a collection are to be built or removed. */
  onIndexesChanged(collectionId: string): void;
  /** Called when a workflow has been deleted, so that its versions can be deleted. */
  onWorkflowDeleted(workflowId: string): void;
}

export type DataSlices = ReturnType<typeof createDataSlices>;
export type DefinitionSlices = ReturnType<typeof createDefinitionSlices>;
export type RunSlices = ReturnType<typeof createRunSlices>;

/** Creates the slices for apps' data and incoming files. */
export function createDataSlices(base: Base, { adapters, fetch }: HostParts, events: DataEvents) {
  const apps = createApps({ ...base, onDeleted: events.onAppDeleted });
  const files = createFileSlices(base, { getApp: apps.get, fetch, extractor: adapters.extractor, ...events });
  return { apps, keys: createKeys(base), tags: createTags(base), ...files };
}

/** Creates the slices for definitions: connections, workflows and collections, each validated against the others. */
export function createDefinitionSlices(base: Base, host: HostParts, data: DataSlices, events: DefinitionEvents) {
  const { clock, limits } = base;
  const { options, adapters, fetch } = host;
  const { apps, files, tags, uploads } = data;
  const permitted = createAddressFilter(options.net?.allow ?? []);
  const { sandbox, extractor } = adapters;
  const services = createServices(options.services ?? [], { ...options, ...limits, clock });
  const triggerTypes = createTriggerTypes(options.triggers ?? [], services);
  const compiled = createVersionCache({
    ...{ clock, services },
    code: { sandbox, limits: limits.code },
    pages: createWebPages({ browser: options.browser, fetch, permitted, extractor }),
    models: { ...adapters.models, timeoutMs: limits.modelTimeoutMs },
  });

  const secrets = createSecrets(host.secrets);
  const connections = createConnections({ ...base, secrets, schemaOf: triggerTypes.connectionOf });
  const checkInputReferences = createInputReferenceCheck({ findFiles: files.find, findConnections: connections.find });
  const hooks = createHooks(base);
  const signing = createSigningSecrets({ ...base, secrets });
  const findVersion = createFindVersion(base);
  const workflows = createWorkflows({ ...base, hooks, findVersion, onDeleted: events.onWorkflowDeleted });
  const reader = createVersionReader({ ...base, workflows, findVersion });
  const getWorkflow = workflows.get;
  const checksWith = (lookups: Lookups) => ({
    definition: createCheckDefinition({
      ...{ ...lookups, compile: compiled.check, getConnection: connections.get, checkInputReferences },
    }),
    rules: createCheckRules({ ...lookups, checkInputReferences }),
  });
  const { definition: check, rules: checkRules } = checksWith({ getWorkflow, getVersion: reader.get });
  const versions = createVersions({ ...base, workflows, reader, check, hooks, findAction: services.find });
  const checkTriggers = createCheckTriggers({ types: triggerTypes, checkInputReferences });
  const triggerStates = createTriggerStates({ ...base, types: triggerTypes });
  const completeInput = createCompleteInput({
    findFiles: files.find,
    findConnections: connections.find,
    findExpected: uploads.expected,
  });
  const checkSenderFiles = createCheckSenderFiles({ findFiles: files.find, isOfUploadUrl: uploads.isOfUploadUrl });

  const collections = createCollections({
    ...{ ...base, ...events, apps, tags },
    ...{ checkRules, checkTriggers, triggerStates },
  });

  return {
    checksWith,
    services,
    triggerTypes,
    checkTriggers,
    triggerStates,
    connections,
    workflows,
    versions,
    checkSenderFiles,
    collections,
    rules: createRules({ collections, checkRules }),
    hooks,
    signatures: createHookSignatures({ ...base, signing, hooks }),
    signing,
    compiled,
    completeInput,
    prepare: createPrepareRun({ ...base, getApp: apps.get, versionForRun: versions.forRun, completeInput }),
  };
}

/** Creates the slices that start runs: callers, record rules, schedules and webhooks. */
export function createRunSlices(
  base: Base,
  slices: DataSlices & DefinitionSlices,
  { executor, background, fetch }: { executor: Executor; background: Background; fetch: GuardedFetch },
) {
  const { apps, files, uploads, collections, tags, connections, triggerTypes, checkTriggers } = slices;
  const { triggerStates, signing, workflows, versions, hooks, signatures, prepare, checkSenderFiles } = slices;
  const requireWorkflow = workflows.get;
  const runs = createRuns({
    ...{ ...base, ...slices, executor, requireWorkflow },
    ...{ findVersion: versions.find, versionForRun: versions.forRun, versionForStepTest: versions.forStepTest },
  });

  const latest = (appId: string, workflowId: string) => versions.forRun(appId, workflowId, "latest");
  const uniqueKeys = createUniqueKeys(base);
  const historyWrites = createHistoryWrites(base);
  const writesInProgress = createWritesInProgress();
  const indexBuilder = createIndexBuilder({ ...base, background, writes: writesInProgress });
  const buildIndexes = base.duties.assign("record-indexes", indexBuilder.start);
  const recordWrites = createRecordWrites({ ...base, uniqueKeys, history: historyWrites });
  const views = createRecordViews({ tags, showFiles: createShowFiles(files.find) });
  const ruleRuns = createRuleRunner({
    ...{ ...base, background, prepare, executor },
    getCollection: (appId, collectionId) => collections.get(appId, collectionId, false),
    view: views.one,
  });

  const scheduleTimers = createScheduleTimers({ ...base, prepare, executor });
  const checkInput = createCheckScheduleInput({ getVersion: versions.get });
  const schedules = createSchedules({ ...base, requireWorkflow, checkInput, setTimer: scheduleTimers.set });
  const releaseUsers = createReleaseUsers({ ...base, background, collections, schedules });

  const untracked = createRecords({
    ...{ ...base, collections, tags, uniqueKeys, views, writes: recordWrites, rules: ruleRuns },
    checkFiles: createCheckFiles({ findFiles: files.find, findExpected: uploads.expected }),
    onIndexIncomplete: buildIndexes,
  });
  const records = trackWrites(untracked, writesInProgress);
  const jobs = createJobs({ ...base, background });
  const find = createFindTrigger({ ...base, apps });
  const triggerHandling = createHandleDeliveries({ ...base, find, records, states: triggerStates });
  const contextOf = createContextOfTrigger({ fetch, openConnection: connections.open });
  const storeEvents = createStoreEvents({ ...base, handling: triggerHandling });
  return {
    runs,
    inspections: createInspections({ ...base, executor }),
    runLinks: createRunLinks({ ...base, runs, getApp: apps.get }),
    bulkRuns: createBulkRuns({ ...base, executor, runs, requireWorkflow, jobs }),
    records,
    bulkWrites: createBulkWrites({ ...base, records, collections }),
    indexBuilder,
    buildIndexes,
    jobs,
    evaluations: createEvaluations({ ...base, collections, tags, records, rules: ruleRuns, jobs }),
    imports: createImports({ ...base, ...slices, collections, records, jobs, isShared: base.cluster !== undefined }),
    exports: createExports({ ...base, appExists: apps.exists, collections, tags }),
    triggerHandling,
    triggerDeliveries: createTriggerDeliveries({ ...base, find, handling: triggerHandling }),
    triggers: createTriggers({ ...base, collections, checkTriggers }),
    testTrigger: createTestTrigger({ ...base, find, storeEvents, types: triggerTypes }),
    triggerSignatures: createTriggerSignatures({ ...base, find, signing }),
    triggerEvents: createReceiveEvents({
      ...{ ...base, find, contextOf, storeEvents, types: triggerTypes, signing, bodyBytes: base.limits.bodyBytes },
    }),
    triggerPolls: createPollTriggers({
      ...{ ...base, find, contextOf, storeEvents, types: triggerTypes, states: triggerStates },
    }),
    getPolling: createGetPolling(find),
    schedules,
    releaseUsers,
    removals: createRemovals({ ...base, workflows, collections, connections, schedules, releaseUsers }),
    hookReceiver: createHookReceiver({
      ...{ ...base, hooks, signatures, runs, latest, storeFile: slices.storeFile, removeFile: files.remove },
      ...{ checkSenderFiles, bodyBytes: base.limits.bodyBytes, receipts: createRequestReceipts(base) },
    }),
    recordHistory: createRecordHistory({ ...base, views }),
    purgeHistory: createPurgeHistory({ ...base, history: historyWrites }),
    recordWrites,
    writesInProgress,
    ruleRuns,
    scheduleTimers,
    ...createFormSlices(base, slices, runs),
    ...createEventSlices(base, { ...slices, executor, latest }),
  };
}
