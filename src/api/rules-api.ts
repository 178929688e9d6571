/** The functions of `stepwell.rules` and `stepwell.mappings`. */
import type * as v from "valibot";
import type { Mapping } from "../collections/mapping.ts";
import type { Rule, RuleInput, RuleUpdate as RuleUpdateSchema } from "../collections/rule.ts";
import type { Page } from "../documents/pagination.ts";
import type { AllOptions, PageOptions } from "./list-options.ts";

/** Changes to a rule. Omitted fields keep their values; null removes a version or a step key. */
export interface RuleUpdate extends v.InferInput<typeof RuleUpdateSchema> {}

/**
 * The rules in the `config` of a collection, by key. Changes apply to later writes; existing results stay until then.
 */
export interface RulesApi {
  /**
   * Adds a rule at the end of the list.
   * @throws StepwellError `invalid` for a duplicate key, an unknown workflow, or input that the workflow does not
   * accept
   */
  create(appId: string, collectionId: string, input: RuleInput): Promise<Rule>;
  /** Lists the rules of a collection, in their order. */
  list(appId: string, collectionId: string, options?: PageOptions): Promise<Page<Rule>>;
  /** Iterates over all rules of a collection, as {@link list} lists them, page by page. */
  listAll(appId: string, collectionId: string, options?: AllOptions<PageOptions>): AsyncIterable<Rule>;
  /** Returns a rule. */
  get(appId: string, collectionId: string, key: string): Promise<Rule>;
  /** Updates a rule. @throws StepwellError as {@link create} */
  update(appId: string, collectionId: string, key: string, input: RuleUpdate): Promise<Rule>;
  /** Removes a rule. A record keeps its earlier results until it is written again. */
  remove(appId: string, collectionId: string, key: string): Promise<void>;
}

/** The mappings in the `config` of a collection. */
export interface MappingsApi {
  /** Returns the mappings of a collection, in their order. */
  get(appId: string, collectionId: string): Promise<readonly Mapping[]>;
  /** Replaces the mappings of a collection. They apply to later writes. */
  put(appId: string, collectionId: string, mappings: readonly Mapping[]): Promise<readonly Mapping[]>;
}
