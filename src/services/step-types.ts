/** Types of service steps, restricted to the services passed to `createStepwell`. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { WorkflowsApi } from "../api/api.ts";
import type { ServiceStep, Step } from "../workflows/step.ts";
import type { ParsedSteps } from "../workflows/validation/parse-definition.ts";
import type { Draft, DraftReplace } from "../workflows/version.ts";
import type { Workflow, WorkflowCreate } from "../workflows/workflow.ts";
import type { BuiltIn } from "./builtin/index.ts";
import type { AnyService, RegisteredService } from "./service.ts";

/** A string that contains an expression. */
export type Template = `${string}{{${string}}}${string}`;

/** A value of which any part may be an expression. */
export type Templated<T> = Template | (T extends object ? TemplatedFields<T> : T);
/** Excludes undefined, which JSON does not have: such a field may be omitted. */
export type TemplatedFields<T> = { [Field in keyof T]: Templated<Exclude<T[Field], undefined>> };

/** The `service` field of a service step, for any of these services. */
export type ServiceCall<Service extends RegisteredService> = Service extends RegisteredService
  ? { [Action in ActionName<Service>]: Call<Service, Action> & Connected<Service> }[ActionName<Service>]
  : never;

type ActionName<Service extends RegisteredService> = keyof Service["actions"] & string;

interface Call<Service extends RegisteredService, Action extends ActionName<Service>> {
  /** Name of the service. */
  service: Service["name"];
  /** Name of the action. */
  action: Action;
  /** Arguments of the action. May contain expressions in `{{ }}`. */
  input: TemplatedFields<InputOf<Service["actions"][Action]>>;
}

/** Requires `connection_id` if the service needs a connection, and forbids it otherwise. */
type Connected<Service extends RegisteredService> =
  NonNullable<Service["connection"]> extends never
    ? {
        /** Must be omitted: the service needs no connection. */
        connection_id?: never;
      }
    : {
        /** Id of the connection with the credentials. */
        connection_id: string;
      };

type InputOf<Action> = Action extends { readonly input: infer Input extends StandardSchemaV1 }
  ? StandardSchemaV1.InferInput<Input>
  : never;

/** The steps that a workflow accepts: any step if the services are unknown. An empty list leaves the built-in ones. */
export type StepWith<Services extends readonly AnyService[]> = [Services[number]] extends [never]
  ? StepOf<BuiltIn>
  : string extends Services[number]["name"]
    ? Step
    : StepOf<Services[number] | BuiltIn>;

type StepOf<Service extends RegisteredService> =
  | Exclude<Step, ServiceStep>
  | (Omit<ServiceStep, "service"> & { service: ServiceCall<Service> });

/** `ParsedSteps` is not a list here, so literal steps are checked against `Accepted` alone. */
type WithSteps<Written, Accepted> = Omit<Written, "steps"> & {
  /** Steps, at most 2,000. Pass steps that the compiler does not know through `parseDefinition`. @default [] */
  steps?: readonly Fixed<Accepted>[] | ParsedSteps;
};

/** The same type, including its readonly form after `as const`. */
type Fixed<T> = T extends readonly (infer Item)[]
  ? number extends T["length"]
    ? readonly Fixed<Item>[]
    : FixedFields<T>
  : T extends object
    ? FixedFields<T>
    : T;
type FixedFields<T> = { readonly [Field in keyof T]: Fixed<T[Field]> };

/** `stepwell.workflows`, whose functions accept these steps, and any that `parseDefinition` returned. */
export interface WorkflowsWith<Accepted> extends Omit<WorkflowsApi, "create" | "putDraft"> {
  /** Creates a workflow and its draft. Stepwell validates the draft only when you deploy it. */
  create(appId: string, input: WithSteps<WorkflowCreate, Accepted>): Promise<Workflow>;
  /** Replaces the whole draft with one that `getDraft` returned. */
  putDraft(appId: string, workflowId: string, draft: Draft): Promise<Draft>;
  /** Replaces the whole draft. Omitted fields become empty. */
  putDraft(appId: string, workflowId: string, draft: WithSteps<DraftReplace, Accepted>): Promise<Draft>;
}
