/** Public exports of `stepwell`. */

export type * from "./api/api.ts";
export {
  type MigratedStorage,
  type MigrationOptions,
  type MigrationProgress,
  type MigrationReport,
  migrateStorage,
} from "./api/storage/migrate-storage.ts";
export { type RepairOptions, type RepairReport, repairStorage } from "./api/storage/repair-storage.ts";
export type { StorageLoss } from "./api/storage/storage-losses.ts";
export { defineWorkflow } from "./api/typed/define-workflow.ts";
export type { InputOf } from "./api/typed/input-type.ts";
export type { SchemaType } from "./api/typed/json-schema-type.ts";
export type { BrowserOutput, HttpRequestOutput, ModelOutput, OutputOf } from "./api/typed/output-type.ts";
export type { CollectionsWith, TriggerOf, TriggersWith, TriggerWith } from "./api/typed/typed-triggers.ts";
export type {
  RunCreateOf,
  RunId,
  RunOf,
  TypedRun,
  TypedRuns,
  TypedWorkflow,
  WorkflowId,
  WorkflowsWith,
} from "./api/typed/typed-workflows.ts";
export type { AppEvent, EventEmit, ReceivedEvent } from "./app-events/app-event.ts";
export type { AppChange } from "./app-stream/app-change.ts";
// The resources.
export type { App, AppCreate, AppUpdate, PublicApp } from "./apps/app.ts";
export type { IssuedKey, Key, KeyCreate } from "./apps/key.ts";
export type { ActingUser, ActingUserInput, ApiKeyScope } from "./calls/caller.ts";
export type {
  BulkResult,
  OperationOutcome,
  RecordOperationInput as RecordOperation,
} from "./collections/bulk/record-operation.ts";
export type { Collection, CollectionConfig } from "./collections/collection.ts";
export type { FieldChange, HistoryEntry } from "./collections/history/record-history.ts";
export type { Mapping } from "./collections/mapping.ts";
export { isRecordFile, type RecordFile } from "./collections/records/files/record-file.ts";
export type { CollectionRecord, RecordData, RuleResult } from "./collections/records/record.ts";
export type { Author } from "./collections/records/writer.ts";
export type { Rule, RuleInput as RuleCreate } from "./collections/rule.ts";
export type { Tag } from "./collections/tag.ts";
export { defineTrigger, type TriggerTypeOf } from "./collections/triggers/define-trigger.ts";
export type { TriggerDelivery } from "./collections/triggers/deliveries/delivery.ts";
export type { TriggerPolling } from "./collections/triggers/polling.ts";
export type { Trigger, TriggerInput as TriggerCreate } from "./collections/triggers/trigger.ts";
export type { TriggerSignature } from "./collections/triggers/trigger-signatures.ts";
export type {
  AnyTriggerType,
  ConnectedTriggerContext,
  PollContext,
  PollResult,
  Sample,
  TriggerContext,
  TriggerEvent,
  TriggerRequest,
} from "./collections/triggers/trigger-type.ts";
export type { Connection, ConnectionCreate, ConnectionUpdate } from "./connections/connection.ts";
export { createStepwell, type Stepwell, type StepwellOf } from "./create.ts";
export type { Diagram } from "./definitions/diagram/diagram.ts";
export type { VersionDiff } from "./definitions/diff/version-diff.ts";
export type { Bundle, Imported } from "./definitions/transfer/bundle.ts";
export type { Uses } from "./definitions/usage/uses.ts";
export type { Page } from "./documents/pagination.ts";
export {
  ERRORS,
  type ErrorCode,
  type ErrorDetails,
  type FieldError,
  isStepwellError,
  type ResourceUser,
  StepwellError,
} from "./errors.ts";
export type {
  ChangedCollection,
  DeletedRecord,
  DeployedVersion,
  EventData,
  EventPattern,
  EventType,
  EventTypesOf,
  SettledRule,
  StepwellEvent,
  WrittenRecord,
} from "./events/event.ts";
export type { On } from "./events/listeners.ts";
export type { File, FileSummary, FileUpdate } from "./files/file.ts";
export type { FileLink, FileLinkCreate } from "./files/file-links.ts";
export type { FileContent } from "./files/files.ts";
export type { ByteRange } from "./files/parse-range.ts";
export type {
  InputLink,
  InputLinkCreate,
  InputPreview,
  ListedInputLink,
  WaitingInput,
  WaitingRun,
} from "./forms/waiting-input.ts";
export type { Hook, HookCreate, SignedHook } from "./hooks/hook-view.ts";
export type { HookRequestInfo, HookRequests } from "./hooks/request-log.ts";
export type { CorsOptions } from "./http/cors.ts";
export type { Handler } from "./http/handler.ts";
export type { Job, JobKindName, JobProblem, JobStatus } from "./jobs/job.ts";
export type { JsonArray, JsonInput, JsonInputList, JsonInputObject, JsonObject, JsonValue } from "./json.ts";
export type { Limits, NetOptions, Options, StorageOptions } from "./options/options.ts";
// The ports that adapters implement.
export {
  type AddressTarget,
  type Browser,
  BrowserError,
  type BrowserErrorCode,
  type Permitted,
  type Visit,
  type Visited,
} from "./ports/browser.ts";
export type { Clock } from "./ports/clock.ts";
export type {
  Driver,
  DriverOwnership,
  ExtendedDriver,
  ItemWriter,
  StorageValue,
  WriteOptions,
} from "./ports/driver.ts";
export {
  ExtractError,
  type Extracted,
  type ExtractedImage,
  type ExtractOptions,
  type Extractor,
  type ExtractorDocument,
  type ExtractRequest,
} from "./ports/extractor.ts";
export type { GuardedFetch, GuardedRequest } from "./ports/fetch.ts";
export type { Ids } from "./ports/ids.ts";
export type { Logger } from "./ports/logger.ts";
export type { LanguageModel, LanguageModelProvider } from "./ports/models.ts";
export {
  type Sandbox,
  type SandboxCall,
  SandboxError,
  type SandboxLimits,
  type SandboxResult,
} from "./ports/sandbox.ts";
export { type WebQuery, type WebResult, type WebSearch, WebSearchError } from "./ports/web-search.ts";
export type {
  ExpressionResult,
  ExpressionToEvaluate,
  RunEvaluate,
  RunEvaluation,
} from "./runs/inspection/evaluation.ts";
export type {
  InputMissing,
  RunQuery,
  StepAttempt,
  StepCondition,
  StepDetails,
  StepPart,
  StepPartStatus,
  StepQuery,
} from "./runs/inspection/step-details.ts";
export type { Run, RunCreate, RunError, RunStatus, RunSummary, StepTest } from "./runs/run.ts";
export type { RunEvent } from "./runs/run-event.ts";
export type { RunMetadata, RunRequest, RunTrigger, TriggerSummary, TriggerType } from "./runs/run-labels.ts";
export type { FollowedRun, FollowedRunEvent, RunLink, RunLinkCreate } from "./runs/run-links.ts";
export type { ItemCounts, ItemError, RunStep, StepFailure } from "./runs/run-step.ts";
export type { ClusterLoad, CommitTiming, ServiceLoad, Telemetry } from "./runs/telemetry.ts";
export type { Schedule, ScheduleCreate, ScheduleUpdate } from "./schedules/schedule.ts";
export type { Visibility } from "./schema.ts";
export { ActionError } from "./services/action-error.ts";
export { defineService, RetryableError, type ServiceOf } from "./services/define-service.ts";
export type { ActionErrorDetails } from "./services/error-details.ts";
export type {
  ActionContext,
  ActionOf,
  ActionSettings,
  AnyAction,
  AnyService,
  ConnectedContext,
} from "./services/service.ts";
export type {
  ServiceCall,
  StepWith,
  Template,
  Templated,
  TemplatedFields,
} from "./services/service-step-types.ts";
export type { HookSignature, SignaturePut } from "./signatures/signature-settings.ts";
export type { StoreRepair } from "./storage/repair/repair.ts";
export type { Summary } from "./summary/summary.ts";
export type { Upload, UploadCreate } from "./uploads/upload.ts";
export type { Content } from "./uploads/uploads.ts";
export type { IssuedWebhook, Webhook } from "./webhooks/webhook.ts";
export type { WebhookAttempt, WebhookDelivery } from "./webhooks/webhook-delivery.ts";
export type * from "./workflows/input/input-field.ts";
export type { ModelProvider } from "./workflows/model-provider.ts";
export type * from "./workflows/step.ts";
export type { WorkflowTool } from "./workflows/tools/workflow-tool.ts";
export { type ParsedDefinition, type ParsedSteps, parseDefinition } from "./workflows/validation/parse-definition.ts";
export type { Deploy, Draft, DraftPut, DraftReplace, Rollback, Validation, Version } from "./workflows/version.ts";
export type { Workflow, WorkflowCreate, WorkflowUpdate } from "./workflows/workflow.ts";
