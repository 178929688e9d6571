/** The translations in examples/gallery give the expected results. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GALLERY, readTranslation, textOf } from "../support/examples/example.ts";
import { openHost } from "../support/examples/example-host.ts";
import { expectResults } from "../support/examples/expect-results.ts";

let host: Awaited<ReturnType<typeof openHost>>;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

describe.each(Object.entries(GALLERY))("the gallery of %s", (folder, names) => {
  it("has 20 workflows, and its README lists each with its source and what it needed", () => {
    expect(names.length).toBe(20);
    const readme = textOf(`../gallery/${folder}/README.md`);
    for (const name of names) {
      const { source, needed } = readTranslation(name);
      const file = name.split("/").at(-1) ?? "";
      expect(readme).toContain(`[${source.title}](${source.url}) (${source.product})`);
      expect(readme).toContain(`[${file}](${file})`);
      expect(readme).toContain(needed.join("; "));
    }
  });

  it.each(names)("gives its expected results: %s", async (name) => {
    const { example, app, workflow } = await host.deploy(name);
    for (const one of [example, ...(example.more_runs ?? [])]) {
      expectResults(one, await host.run(app, workflow, one), host.outside);
    }
  });
});
