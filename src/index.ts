/** Embeddable workflow automation: see README.md. */
export type * from "./api.ts";
// The resources.
export type { App, PublicApp } from "./apps/app.ts";
export type { IssuedKey, Key } from "./apps/key.ts";
export type { Scope } from "./caller.ts";
export type { Collection } from "./collections/collection.ts";
export type { Mapping } from "./collections/mapping.ts";
export type { Rule } from "./collections/rule.ts";
export type { Tag } from "./collections/tag.ts";
export type { Trigger } from "./collections/trigger.ts";
export { createStepwell, type Stepwell } from "./create.ts";
export { ERRORS, type ErrorCode, type FieldError, isStepwellError, StepwellError } from "./errors.ts";
export type { File } from "./files/file.ts";
export type { FileContent } from "./files/files.ts";
export type { Upload } from "./files/upload.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export type { Limits, NetOptions, Options, StorageOptions } from "./options.ts";
export type { Page } from "./page.ts";
// What adapters implement.
export type { Clock } from "./ports/clock.ts";
export type { ExtendedDriver, WriteOptions } from "./ports/driver.ts";
export type { Logger } from "./ports/logger.ts";
export {
  type Sandbox,
  type SandboxCall,
  SandboxError,
  type SandboxLimits,
  type SandboxResult,
} from "./ports/sandbox.ts";
export type { Run, RunError, RunStatus, RunStep, RunSummary } from "./runs/run.ts";
export type { Visibility } from "./schema.ts";
export type { InputDefinition, InputField, InputOptions } from "./workflows/input-field.ts";
export type { ModelProvider } from "./workflows/model-provider.ts";
export type { Step, StepOf, StepType } from "./workflows/step.ts";
export type { Draft, Validation, Version } from "./workflows/version.ts";
export type { Workflow } from "./workflows/workflow.ts";
