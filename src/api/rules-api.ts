/** The functions of `stepwell.rules` and `stepwell.mappings`. */
import type * as v from "valibot";
import type { Mapping } from "../collections/mapping.ts";
import type { Rule, RuleInput, RuleUpdate as RuleUpdateSchema } from "../collections/rule.ts";
import type { Page } from "../documents/pagination.ts";
import type { ListOptions } from "./list-options.ts";

/** Changes to a rule. Omitted fields keep their values; null removes a version or a step key. */
export interface RuleUpdate extends v.InferInput<typeof RuleUpdateSchema> {}

/** The rules in the `config` of a collection, by their keys. Changes apply to records that are written later. */
export interface RulesApi {
  /**
   * Adds a rule after the others.
   * @throws StepwellError `invalid` for a key that another rule has, and for an unknown workflow or input that it refuses
   */
  create(appId: string, collectionId: string, input: RuleInput): Promise<Rule>;
  /** Lists the rules of a collection, in their order. */
  list(appId: string, collectionId: string, options?: ListOptions): Promise<Page<Rule>>;
  /** Returns a rule. */
  get(appId: string, collectionId: string, key: string): Promise<Rule>;
  /** Changes a rule. @throws StepwellError as {@link create} */
  update(appId: string, collectionId: string, key: string, input: RuleUpdate): Promise<Rule>;
  /** Removes a rule. Results of earlier evaluations stay until a record is written. */
  remove(appId: string, collectionId: string, key: string): Promise<void>;
}

/** The mappings in the `config` of a collection. */
export interface MappingsApi {
  /** Returns the mappings of a collection, in their order. */
  get(appId: string, collectionId: string): Promise<Mapping[]>;
  /** Replaces the mappings of a collection. They apply to records that are written later. */
  put(appId: string, collectionId: string, mappings: Mapping[]): Promise<Mapping[]>;
}
