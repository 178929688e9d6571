/** Service steps as types: of the services given at construction, and nothing else. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { WorkflowsApi } from "../api/api.ts";
import type { ServiceStep, Step } from "../workflows/step.ts";
import type { ParsedSteps } from "../workflows/validation/parse-definition.ts";
import type { Draft, DraftPut } from "../workflows/version.ts";
import type { Workflow, WorkflowCreate } from "../workflows/workflow.ts";
import type { BuiltIn } from "./builtin/index.ts";
import type { AnyService, Offering } from "./service.ts";

/** A text with an expression in it. */
export type Template = `${string}{{${string}}}${string}`;

/** A value of which each part may be left to an expression. */
export type Templated<T> = Template | (T extends object ? TemplatedFields<T> : T);
/** Undefined is no JSON: what may be undefined may be left out. */
export type TemplatedFields<T> = { [Field in keyof T]: Templated<Exclude<T[Field], undefined>> };

/** What a service step may say of any of these services. */
export type ServiceCall<Service extends Offering> = Service extends Offering
  ? { [Action in ActionName<Service>]: Call<Service, Action> & Connected<Service> }[ActionName<Service>]
  : never;

type ActionName<Service extends Offering> = keyof Service["actions"] & string;

interface Call<Service extends Offering, Action extends ActionName<Service>> {
  service: Service["name"];
  action: Action;
  input: TemplatedFields<InputOf<Service["actions"][Action]>>;
}

/** Where the service needs a connection, the step names one, or finds it out. */
type Connected<Service extends Offering> =
  NonNullable<Service["connection"]> extends never ? { connection_id?: never } : { connection_id: string };

type InputOf<Action> = Action extends { readonly input: infer Input extends StandardSchemaV1 }
  ? StandardSchemaV1.InferInput<Input>
  : never;

/** Any step where no service is known by its name. */
export type StepWith<Services extends readonly AnyService[]> = [Services[number]] extends [never]
  ? Step
  : string extends Services[number]["name"]
    ? Step
    :
        | Exclude<Step, ServiceStep>
        | (Omit<ServiceStep, "service"> & { service: ServiceCall<Services[number] | BuiltIn> });

/** Parsed steps are no list here: what is written in the program is held against the accepted ones alone. */
type WithSteps<Written, Accepted> = Omit<Written, "steps"> & { steps?: readonly Fixed<Accepted>[] | ParsedSteps };

/** The same, and as it is after `as const`. */
type Fixed<T> = T extends readonly (infer Item)[]
  ? number extends T["length"]
    ? readonly Fixed<Item>[]
    : FixedFields<T>
  : T extends object
    ? FixedFields<T>
    : T;
type FixedFields<T> = { readonly [Field in keyof T]: Fixed<T[Field]> };

/** The functions for workflows, of which those that take steps take these, and whatever `parseDefinition` gave. */
export interface WorkflowsWith<Accepted> extends Omit<WorkflowsApi, "create" | "putDraft"> {
  /** Creates a workflow with its draft. */
  create(appId: string, input: WithSteps<WorkflowCreate, Accepted>): Promise<Workflow>;
  /** Replaces the draft whole. */
  putDraft(appId: string, workflowId: string, draft: WithSteps<DraftPut, Accepted>): Promise<Draft>;
}
