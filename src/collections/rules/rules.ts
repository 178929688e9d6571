/** Functions for single rules and for the mappings of a collection, which `config` contains as a whole. */
import { type Page, pageOfItems } from "../../documents/pagination.ts";
import { noReceipt, type Receipt } from "../../documents/receipt.ts";
import { cut, type FieldError, StepwellError } from "../../errors.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { CheckRules } from "../check-rules.ts";
import type { Collections } from "../collections.ts";
import type { Mapping } from "../mapping.ts";
import type { CollectionRef } from "../records/records.ts";
import { MAX_RULES, type Rule, type RuleUpdate, updatedRule } from "../rule.ts";

/** Resources of another app are `not_found`, and so is a deleted collection for writes. */
export interface Rules {
  /**
   * Adds a rule at the end of the list.
   * @throws StepwellError `invalid` for a key that another rule has, and as for `config`: for an unknown workflow, and for
   * input that it does not accept
   */
  create(at: CollectionRef, rule: Rule, receipt: Receipt): Promise<Rule>;
  /** Returns the rules in the order of `config`. */
  list(at: CollectionRef, query: { readonly page: number; readonly take: number }): Promise<Page<Rule>>;
  get(at: RuleRef): Promise<Rule>;
  /** @throws StepwellError as `create` */
  update(at: RuleRef, update: RuleUpdate): Promise<Rule>;
  remove(at: RuleRef): Promise<void>;
  listMappings(at: CollectionRef): Promise<readonly Mapping[]>;
  putMappings(at: CollectionRef, mappings: readonly Mapping[]): Promise<readonly Mapping[]>;
}

export interface RuleRef extends CollectionRef {
  readonly key: string;
}

export function createRules(parts: {
  collections: Pick<Collections, "get" | "changeConfig">;
  checkRules: CheckRules;
}): Rules {
  const { collections, checkRules } = parts;

  async function configOf({ app_id, collection_id }: CollectionRef) {
    return (await collections.get(app_id, collection_id, false)).config;
  }

  /** @throws StepwellError `invalid` with pointers into the rule */
  async function requireValid(appId: string, rule: Rule, others: readonly Rule[]): Promise<void> {
    const errors = [...keyErrors(rule, others), ...(await checkRules(appId, [rule], () => []))];
    if (errors.length > 0) throw invalid(errors);
  }

  function changeRules(
    { app_id, collection_id }: CollectionRef,
    decide: (rules: readonly Rule[]) => readonly Rule[] | Promise<readonly Rule[]>,
    alsoCommit: ReturnType<Receipt> = [],
  ) {
    const changed = async ({ rules }: { rules: readonly Rule[] }) => ({ rules: await decide(rules) });
    return collections.changeConfig(app_id, collection_id, changed, alsoCommit);
  }

  return {
    async create(at, rule, receipt = noReceipt) {
      const added = async (rules: readonly Rule[]) => {
        if (rules.length >= MAX_RULES) {
          throw invalid([{ pointer: "", message: `A collection must have at most ${MAX_RULES} rules.` }], "the rule");
        }
        await requireValid(at.app_id, rule, rules);
        return [...rules, rule];
      };
      await changeRules(at, added, receipt(rule));
      return rule;
    },

    list: async (at, query) => pageOfItems((await configOf(at)).rules, query),

    get: async (at) => requireRule((await configOf(at)).rules, at.key),

    async update(at, update) {
      const updated = async (rules: readonly Rule[]) => {
        const before = requireRule(rules, at.key);
        const after = updatedRule(before, update);
        const others = rules.filter((rule) => rule !== before);
        await requireValid(at.app_id, after, others);
        return rules.map((rule) => (rule === before ? after : rule));
      };
      const { rules } = await changeRules(at, updated);
      return requireRule(rules, update.key ?? at.key);
    },

    async remove(at) {
      await changeRules(at, (rules) => {
        const gone = requireRule(rules, at.key);
        return rules.filter((rule) => rule !== gone);
      });
    },

    listMappings: async (at) => (await configOf(at)).mappings,

    putMappings: async ({ app_id, collection_id }, mappings) =>
      (await collections.changeConfig(app_id, collection_id, () => ({ mappings }))).mappings,
  };
}

function requireRule(rules: readonly Rule[], key: string): Rule {
  const found = rules.find((rule) => rule.key === key);
  if (found !== undefined) return found;
  throw new StepwellError("not_found", `The collection has no rule with the key ${JSON.stringify(cut(key, 128))}.`);
}

function keyErrors({ key }: Rule, others: readonly Rule[]): FieldError[] {
  const isTaken = others.some((rule) => rule.key === key);
  return isTaken ? [{ pointer: "/key", message: "Must be unique: another rule has the same key." }] : [];
}
