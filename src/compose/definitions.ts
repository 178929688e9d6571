/** Creates export and import, which know every other slice of definitions. */
import { createExports } from "../definitions/transfer/export-definitions.ts";
import { createImports } from "../definitions/transfer/import-definitions.ts";
import type { PrepareWebhooks } from "../webhooks/imported-webhooks.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { DataSlices, DefinitionSlices, RunSlices } from "./slices.ts";
import type { Base } from "./storage.ts";

export function composeDefinitions(
  base: Base,
  slices: DataSlices & DefinitionSlices & RunSlices & { readonly webhooks: Webhooks },
  prepareWebhooks: PrepareWebhooks,
) {
  return {
    definitionExports: createExports(slices),
    definitionImports: createImports({ ...base, ...slices, prepareWebhooks, setTimer: slices.scheduleTimers.set }),
  };
}
