/** The built-in service `rules`: steps list the rules of a collection and evaluate records. */
import * as v from "valibot";
import { CollectionRecord } from "../../collections/records/record.ts";
import { Rule } from "../../collections/rule.ts";
import { list } from "../../schema.ts";
import { defineService } from "../define-service.ts";

const collection_id = v.pipe(v.string(), v.description("Id of a collection of the app."));

export const rules = defineService({
  name: "rules",
  title: "Rules",
  actions: {
    list: {
      title: "List the rules of a collection",
      description: "Returns the rules that a collection evaluates on its records.",
      input: v.strictObject({ collection_id }),
      output: v.object({ rules: list(Rule) }),
      async run({ collection_id }, { stepwell, app_id }) {
        const { config } = await stepwell.collections.get(app_id, collection_id);
        return { rules: config.rules };
      },
    },
    evaluate: {
      title: "Evaluate a record",
      description: "Re-evaluates the rules of a collection on a record and waits up to 10 seconds for their results.",
      input: v.strictObject({ collection_id, record_id: v.string() }),
      output: v.pick(CollectionRecord, ["version", "rule_results"]),
      async run({ collection_id, record_id }, { stepwell, app_id }) {
        const { version, rule_results } = await stepwell.records.evaluate(app_id, collection_id, record_id);
        return { version, rule_results };
      },
    },
  },
});
