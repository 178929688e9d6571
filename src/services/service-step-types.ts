/** Types of service steps, restricted to the services passed to `createStepwell`. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonValue } from "../json.ts";
import type { ServiceStep, Step } from "../workflows/step.ts";
import type { BuiltIn } from "./builtin/index.ts";
import type { AnyService, RegisteredService } from "./service.ts";

/** A string that contains an expression. */
export type Template = `${string}{{${string}}}${string}`;

/**
 * A value of which any part may be an expression. Only JSON: where a schema accepts anything, any JSON, and only expressions
 * for functions and other values that JSON does not have.
 */
export type Templated<T> =
  | Template
  | (unknown extends T ? JsonValue : T extends JsonScalar ? T : T extends NotJson ? never : TemplatedFields<T>);

type JsonScalar = string | number | boolean | null;
type NotJson = undefined | bigint | symbol | ((...args: never) => unknown);

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

/** Requires `connection_id` if the service needs a connection, and forbids it if the service has none. */
type Connected<Service extends RegisteredService> =
  NonNullable<Service["connection"]> extends never
    ? {
        /** Must be omitted: the service needs no connection. */
        connection_id?: never;
      }
    : true extends Service["connectionOptional"]
      ? {
          /** Id of the connection with the credentials. @default none */
          connection_id?: string;
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

/** Outputs of actions by service and action; nothing of services that are only known at run time. */
export type OutputsOf<Services extends readonly AnyService[]> = string extends Services[number]["name"]
  ? ServiceOutputs<BuiltIn>
  : ServiceOutputs<Services[number] | BuiltIn>;

type ServiceOutputs<Service extends RegisteredService> = {
  readonly [One in Service as One["name"]]: {
    readonly [Action in keyof One["actions"]]: StandardSchemaV1.InferOutput<One["actions"][Action]["output"]>;
  };
};
