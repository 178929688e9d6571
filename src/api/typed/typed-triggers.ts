/** Types of triggers, restricted to the trigger types passed to `createStepwell`. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Collection } from "../../collections/collection.ts";
import type { CoreTriggerSettings, Trigger, TriggerChanges, TriggerInput } from "../../collections/triggers/trigger.ts";
import type { AnyTriggerType } from "../../collections/triggers/trigger-type.ts";
import type { BuiltInTriggerType } from "../../collections/triggers/trigger-types.ts";
import type { CollectionCreate, CollectionsApi, CollectionUpdate, TriggersApi } from "../data-api.ts";

/** The part of a trigger type that its triggers depend on. */
interface Described {
  readonly name: string;
  readonly config: StandardSchemaV1;
  readonly connection?: StandardSchemaV1 | undefined;
  readonly connectionOptional?: boolean | undefined;
}

/** A trigger of one of these types. */
export type TriggerOf<Type extends Described> = Type extends Described
  ? Omit<TriggerInput, "type" | "config" | "connection_id"> & {
      /** Name of the trigger type. */
      type: Type["name"];
      /** Settings of the trigger: those of every trigger, and those of its type. */
      config: Omit<CoreTriggerSettings, "type"> & { type: Type["name"] } & StandardSchemaV1.InferInput<Type["config"]>;
    } & Connected<Type>
  : never;

/** Requires `connection_id` if the type needs a connection, and forbids it if the type has none. */
type Connected<Type extends Described> =
  NonNullable<Type["connection"]> extends never
    ? {
        /** Must be omitted: the trigger type does not use a connection. */
        connection_id?: never;
      }
    : true extends Type["connectionOptional"]
      ? {
          /** Id of the connection with the credentials. @default none */
          connection_id?: string;
        }
      : {
          /** Id of the connection with the credentials. */
          connection_id: string;
        };

/** The triggers that a collection accepts: any trigger if no types are known by name. */
export type TriggerWith<Types extends readonly AnyTriggerType[]> = [Types[number]] extends [never]
  ? TriggerInput
  : string extends Types[number]["name"]
    ? TriggerInput
    : TriggerOf<Types[number] | BuiltInTriggerType>;

/** One of the accepted triggers if its type is a literal, and any trigger if the type is only known at run time. */
type Checked<Name extends string, Accepted> = {
  /** Type of the trigger. */
  type: Name;
  /** Settings of the trigger. */
  config: {
    /** The same type. */
    type: Name;
  };
} & (string extends Name ? TriggerInput : Accepted);

type WithTriggers<Written, Trigger> = Omit<Written, "triggers"> & {
  /** Triggers, which create records from external events, at most 500. */
  triggers?: readonly Trigger[];
};

/** `stepwell.collections`, whose functions accept these triggers, and any whose type is only known at run time. */
export interface CollectionsWith<Accepted> extends Omit<CollectionsApi, "create" | "update"> {
  /**
   * Creates a collection.
   * @throws StepwellError `invalid`, including for unknown tags, workflows, connections and trigger types
   */
  create<Name extends string>(
    appId: string,
    input: WithTriggers<CollectionCreate, Checked<Name, Accepted>>,
  ): Promise<Collection>;
  /** Updates a collection. @throws StepwellError as {@link create}; `not_found` for a deleted collection */
  update<Name extends string>(
    appId: string,
    collectionId: string,
    input: WithTriggers<CollectionUpdate, Checked<Name, Accepted> & Pick<TriggerChanges, "id">>,
  ): Promise<Collection>;
}

/** `stepwell.triggers`, whose functions accept these triggers, and any whose type is only known at run time. */
export interface TriggersWith<Accepted> extends Omit<TriggersApi, "create"> {
  /** Adds a trigger to a collection. @throws StepwellError `invalid`, including for an unknown type or connection */
  create<Name extends string>(appId: string, collectionId: string, input: Checked<Name, Accepted>): Promise<Trigger>;
}
