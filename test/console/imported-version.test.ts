/** Whether a workflow that is imported is deployed. */
import { expect, it } from "vitest";
import { importedVersion } from "../../adapters/console/app/workflows/imported-version.ts";

const format = "stepwell";
const root = "work_1";
const drafted = { id: root, name: "One", draft: { steps: [] } };
const versioned = { id: root, name: "One", versions: [{ version: 3, steps: [] }] };

it.each([
  ["a definition", { steps: [] }, "draft"],
  ["an exported draft", { format, root, root_version: 0, workflows: [drafted] }, "draft"],
  ["an exported version", { format, root, root_version: 3, workflows: [versioned] }, 3],
  ["a draft with versions that others run", { format, root, root_version: 0, workflows: [versioned] }, null],
  ["an exported app", { format, workflows: [drafted] }, null],
])("is known of %s", (_, value, version) => {
  expect(importedVersion(value)).toBe(version);
});
