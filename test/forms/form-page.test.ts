/** The web page of a form: which controls it has, what they show, and what connects them to their hints and errors. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { InputDefinition, JsonObject } from "../../src/index.ts";
import { step } from "../support/engine/service.ts";
import { form, HTML, openForms } from "../support/forms/open-forms.ts";

async function pageOf(fields: InputDefinition, input_default: JsonObject | null = null) {
  const service = await openForms();
  const { run, link } = await service.asked(fields, [], {}, input_default);
  const show = async (init: RequestInit) => {
    const { text, status } = await service.send(link.url, init);
    return { status, text, document: parseHTML(text).document };
  };
  return {
    ...(await show({ headers: HTML })),
    answer: (values: Record<string, string | Blob>) => show(form(values)),
    output: async () => step(await service.wait(run.id), "ask").output,
  };
}

const hidden = { display: { hidden: true } } as const;

describe("a hidden field of a form", () => {
  it("is not shown if input_default gives its value, and the step gets this value", async () => {
    const page = await pageOf({ secret: { type: "string", ...hidden }, n: { type: "number" } }, { secret: "inside" });
    expect(page.text).not.toContain("inside");
    expect(page.document.querySelector('[name="/secret"]')).toBeNull();
    expect(await page.answer({ "/n": "1" })).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ secret: "inside", n: 1 });
  });

  it("of an object is not shown either if input_default gives its value", async () => {
    const fields: InputDefinition = { a: { type: "string", ...hidden }, b: { type: "string" } };
    const page = await pageOf({ group: { type: "object", fields } }, { group: { a: "inside" } });
    expect(page.text).not.toContain("inside");
    expect(await page.answer({ "/group/b": "x" })).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ group: { a: "inside", b: "x" } });
  });

  it("is shown as required if nothing else gives its value", async () => {
    const { document } = await pageOf({ code: { type: "string", ...hidden } });
    expect(document.querySelector('[name="/code"]')?.getAttribute("aria-required")).toBe("true");
  });
});

describe("a field of a form whose value input_default gives", () => {
  it("shows this value, and is not required", async () => {
    const { document } = await pageOf({ name: { type: "string" } }, { name: "Ann" });
    const control = document.querySelector('[name="/name"]');
    expect(control?.getAttribute("value")).toBe("Ann");
    expect(control?.hasAttribute("aria-required")).toBe(false);
  });
});

describe("an optional group of a form", () => {
  const group: InputDefinition = {
    pet: {
      type: "object",
      optional: true,
      fields: {
        name: { type: "string" },
        tame: { type: "boolean" },
        kind: { type: "object", fields: { wild: { type: "boolean" } } },
      },
    },
  };

  it("can be left empty, although it asks for yes or no", async () => {
    const page = await pageOf(group);
    expect(await page.answer({ "/pet/name": "" })).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ pet: null });
  });

  it("counts as filled in as soon as a question in it is answered", async () => {
    const page = await pageOf(group);
    const { status, text } = await page.answer({ "/pet/name": "", "/pet/tame": "true" });
    expect(status).toBe(422);
    expect(text).toContain("<bdi>name</bdi>: ");
  });

  it("counts as filled in when a person clears a checkbox that was checked", async () => {
    const page = await pageOf(
      { pet: { type: "object", optional: true, fields: { tame: { type: "boolean" } } } },
      { pet: { tame: true } },
    );
    expect(page.document.querySelector('[name="/pet/tame"]')?.hasAttribute("checked")).toBe(true);
    expect(await page.answer({})).toMatchObject({ status: 200 });
    expect(await page.output()).toEqual({ pet: { tame: false } });
  });
});

describe("the controls of a form", () => {
  const fields: InputDefinition = {
    "a b": { type: "string" },
    a_20b: { type: "string", desc: "A hint", link: "https://x.test/" },
    mail: { type: "string", link: "mailto:ann@x.test" },
    both: { type: "string", desc: "A hint", link: "/relative" },
    several: { type: "select", array: true, options: [{ value: "a" }, { value: "b" }] },
    group: { type: "object", fields: { inner: { type: "number", link: "https://x.test/" } }, link: "ftp://x.test" },
    pick: { type: "select", options: [{ value: "a" }], additional_options: true },
  };

  it("have ids that are unique", async () => {
    const { document } = await pageOf(fields);
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(Object.keys(fields).length);
    expect(ids).toHaveLength(new Set(ids).size);
  });

  it("refer to nothing that the page does not contain, whatever the links of their fields are", async () => {
    const page = await pageOf(fields);
    for (const { document } of [page, await page.answer({ "/group/inner": "x" })]) {
      const references = ["aria-describedby", "for", "list"].flatMap((name) =>
        [...document.querySelectorAll(`[${name}]`)].flatMap((one) => one.getAttribute(name)?.split(" ") ?? []),
      );
      expect(references.length).toBeGreaterThan(0);
      expect(references.filter((id) => document.getElementById(id) === null)).toEqual([]);
    }
  });

  it("are where the summary of errors leads to, groups included", async () => {
    const page = await pageOf(fields);
    const { status, document } = await page.answer({ "/group": "no object" });
    expect(status).toBe(422);
    const links = [...document.querySelectorAll(".errors a")].map((one) => one.getAttribute("href") ?? "");
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((href) => document.getElementById(href.slice(1)) === null)).toEqual([]);
  });

  it("of a refused group have an id on the group itself", async () => {
    const page = await pageOf({ group: { type: "object", fields: { n: { type: "number" } } } });
    const { document } = await page.answer({});
    expect(document.querySelector("fieldset")?.id).toBeTruthy();
  });
});
