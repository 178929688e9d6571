/** Forms with thousands of fields: what can be deployed can be answered. */
import { describe, expect, it } from "vitest";
import type { InputDefinition } from "../../src/index.ts";
import { step } from "../support/engine/service.ts";
import { HTML, openForms } from "../support/forms/open-forms.ts";

const JSON_ONLY = { accept: "application/json" };

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

/** What a page sends. */
function multipart(pairs: readonly (readonly [name: string, value: string])[]) {
  const parts = pairs.map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const headers = { ...HTML, "content-type": "multipart/form-data; boundary=b" };
  return { method: "POST", headers, body: `${parts.join("")}--b--\r\n` };
}

const urlEncoded = (pairs: readonly (readonly [name: string, value: string])[]) => ({
  method: "POST",
  headers: { ...HTML, "content-type": "application/x-www-form-urlencoded" },
  body: pairs.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join("&"),
});

describe("a form", () => {
  it.each([
    [
      "fields",
      Object.fromEntries(numbers(4_100).map((name) => [name, { type: "string" }])),
      numbers(4_100).map((name) => [`/${name}`, name]),
    ],
    [
      "choices",
      { some: { type: "select", array: true, options: numbers(4_100).map((value) => ({ value })) } },
      numbers(4_100).map((value) => ["/some", value]),
    ],
  ] as const)("with 4,100 %s is answered by its page", async (_, fields, pairs) => {
    const { asked, send, wait } = await openForms();
    const { run, link } = await asked(fields as InputDefinition);
    expect(await send(link.url, multipart(pairs as [string, string][]))).toMatchObject({ status: 200 });
    const { output } = step(await wait(run.id), "ask");
    expect(JSON.stringify(output)).toContain('"4099"');
  });

  it.each([
    ["multipart/form-data", multipart],
    ["application/x-www-form-urlencoded", urlEncoded],
  ])("refuses thousands of fields more than it has, as %s", async (_, encoded) => {
    const { asked, send } = await openForms();
    const { link } = await asked({ ok: { type: "boolean", default: false } });
    const others = (count: number) => encoded(numbers(count).map((name) => [`/x${name}`, ""]));
    const { status, text } = await send(link.url, {
      ...others(2_100),
      headers: { ...others(1).headers, ...JSON_ONLY },
    });
    expect({ status, text }).toMatchObject({ status: 413, text: expect.stringContaining("the limit of 2001 fields") });
    expect(await send(link.url, others(1_900))).toMatchObject({ status: 200 });
  });
});
