/** Numbers and moments on web pages: people write them as in the language of the page and in UTC, and programs as in JSON. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import type { InputDefinition, JsonObject } from "../../src/index.ts";
import { step } from "../support/engine/service.ts";
import { form, HTML, json, openForms } from "../support/forms/open-forms.ts";

type Language = "en" | "de" | "fr" | "es" | "ja" | "ar";

async function asked(fields: InputDefinition, language: Language | null = null, presets: JsonObject | null = null) {
  const { asked, send, wait } = await openForms();
  const { run, link } = await asked(fields, [], language === null ? {} : { language }, presets);
  return {
    async show(init: RequestInit) {
      const { text, status } = await send(link.url, init);
      return { status, document: parseHTML(text).document };
    },
    send: (init: RequestInit) => send(link.url, init),
    output: async () => step(await wait(run.id), "ask").output,
  };
}

const N: InputDefinition = { n: { type: "number" } };

const parsed = (text: string, field: InputDefinition = N) => ({
  async in(language: Language) {
    const { show, output } = await asked(field, language);
    const { status } = await show(form({ "/n": text }));
    return status === 200 ? await output() : status;
  },
});

describe("a number on a page", () => {
  it("has a text field with the keys of decimals, because a number field drops signs that it does not know", async () => {
    const { show } = await asked({ ...N, list: { type: "number", array: true } });
    const { document } = await show({ headers: HTML });
    const field = document.querySelector('[name="/n"]');
    expect(field?.getAttribute("type")).toBe("text");
    expect(field?.getAttribute("inputmode")).toBe("decimal");
    expect(field?.getAttribute("dir")).toBe("ltr");
    expect(document.querySelector('[type="number"]')).toBeNull();
  });

  it.each([
    ["en", "1.5", 1.5],
    ["en", "1,234.5", 1234.5],
    ["en", " -2 ", -2],
    ["en", "1e3", 1000],
    ["de", "1,5", 1.5],
    ["de", "1.234,5", 1234.5],
    ["fr", "1 234,5", 1234.5],
    ["fr", "1.5", 1.5],
    ["es", "1,5", 1.5],
    ["ja", "１.５", 1.5],
    ["ar", "١٫٥", 1.5],
    ["ar", "1.5", 1.5],
  ] as const)("is read as in the language of the page: %s %s", async (language, text, n) => {
    expect(await parsed(text).in(language)).toEqual({ n });
  });

  it.each([
    ["en", "1,5", "Enter a number, such as 1,234.5."],
    ["en", "0x10", "Enter a number, such as 1,234.5."],
    ["de", "1.5", "Geben Sie eine Zahl ein, etwa 1.234,5."],
    ["fr", "1,2,3", "Saisissez un nombre, par exemple 1 234,5."],
    ["es", "1.5", "Escriba un número, por ejemplo 1.234,5."],
    ["ja", "1,5", "数値を入力してください（例：1,234.5）。"],
    ["ar", "1,5", "أدخل رقمًا، مثل 1,234.5."],
    ["de", "0,12345678901234567890123", "Diese Zahl hat mehr Stellen, als gespeichert werden können."],
    ["de", " ", "Diese Angabe ist erforderlich."],
  ] as const)(
    "of another notation is refused at its field, and is shown again: %s %s",
    async (language, text, message) => {
      const { show } = await asked({ ...N, list: { type: "number", array: true, optional: true } }, language);
      const { status, document } = await show(form({ "/n": text }));
      expect(status).toBe(422);
      expect(document.querySelector('[name="/n"]')?.getAttribute("value")).toBe(text);
      const wrong = [...document.querySelectorAll(".wrong")].map(({ textContent }) => textContent);
      expect(wrong.map((one) => one?.replaceAll(/[\u2068\u2069]/g, "").replaceAll(/\s/g, " "))).toEqual([message]);
    },
  );

  it("has the language of the browser if the link has none", async () => {
    const { show, output } = await asked(N);
    const german = { ...form({ "/n": "1,5" }), headers: { ...HTML, "accept-language": "de-DE,de;q=0.9" } };
    expect(await show(german)).toMatchObject({ status: 200 });
    expect(await output()).toEqual({ n: 1.5 });
  });

  it("may be left empty if it is optional", async () => {
    const { show, output } = await asked({ n: { type: "number", optional: true, default: 7 } });
    expect(await show(form({ "/n": " " }))).toMatchObject({ status: 200 });
    expect(await output()).toEqual({ n: null });
  });

  it("that is set before is shown as in the language of the page, and can be sent unchanged", async () => {
    const fields: InputDefinition = {
      n: { type: "number", default: 1234.5 },
      list: { type: "number", array: true },
      group: { type: "object", fields: { tiny: { type: "number" } } },
    };
    const presets = { list: [0.5, -2], group: { tiny: 1.5e-7 } };
    const { show, output } = await asked(fields, "de", presets);
    const { document } = await show({ headers: HTML });
    const field = document.querySelector('[name="/n"]');
    const values = {
      "/n": field?.getAttribute("value") ?? "",
      "/list": document.querySelector('[name="/list"]')?.textContent ?? "",
      "/group/tiny": document.querySelector('[name="/group/tiny"]')?.getAttribute("value") ?? "",
    };
    expect(values).toMatchObject({ "/n": "1234,5", "/group/tiny": "1,5e-7" });
    expect(values["/list"].trim()).toBe("0,5\n-2");
    expect(await show(form(values))).toMatchObject({ status: 200 });
    expect(await output()).toEqual({ n: 1234.5, ...presets });
  });
});

describe("a list of numbers on a page", () => {
  const fields: InputDefinition = { n: { type: "number", array: true } };

  it("is read as in the language of the page", async () => {
    expect(await parsed("1,5\r\n\r\n 1.000 \r\n", fields).in("de")).toEqual({ n: [1.5, 1000] });
  });

  it.each([
    ["1,5\r\n1.5", "Geben Sie eine Zahl ein, etwa 1.234,5."],
    ["1,5\r\n0,12345678901234567890123", "Diese Zahl hat mehr Stellen, als gespeichert werden können."],
  ])("is refused because of one of them: %j", async (text, message) => {
    const { show } = await asked(fields, "de");
    const { status, document } = await show(form({ "/n": text }));
    expect(status).toBe(422);
    expect(document.querySelector(".wrong")?.textContent).toBe(message);
    expect(document.querySelector("textarea")?.textContent?.trim()).toBe(text.replace("\r", ""));
  });
});

describe("numbers to choose from on a page", () => {
  it.each([
    ["radio buttons", [0.5, 1.5], false],
    ["a dropdown", [0.5, 1.5, 2, 3, 4, 5], false],
    ["boxes", [0.5, 1.5], true],
  ] as const)("are shown as in its language, and are sent as they are: %s", async (_, list, array) => {
    const { show, output } = await asked({ n: { type: "number", list: [...list], array } }, "de");
    const { document } = await show({ headers: HTML });
    const labels = [...document.querySelectorAll("label.option, option:not([value=''])")];
    expect(labels.slice(0, 2).map(({ textContent }) => textContent?.trim())).toEqual(["0,5", "1,5"]);
    expect(document.querySelectorAll('[value="1.5"]')).toHaveLength(1);
    expect(await show(form({ "/n": "1.5" }))).toMatchObject({ status: 200 });
    expect(await output()).toEqual({ n: array ? [1.5] : 1.5 });
  });
});

describe("a number of a program", () => {
  const plain = { headers: { accept: "application/json", "accept-language": "de" }, method: "POST" };
  const urlEncoded = (n: string) => ({ ...plain, body: new URLSearchParams({ "/n": n }) });
  const multipart = (n: string) => ({ ...form({ "/n": n }), ...plain });

  it.each([
    ["multipart/form-data", multipart],
    ["application/x-www-form-urlencoded", urlEncoded],
  ])("is plain in every language: %s", async (_, encoded) => {
    const german = await asked(N, "de");
    expect(await german.send(encoded("1,5"))).toMatchObject({ status: 422 });
    expect(await german.send(encoded("1.5e3"))).toMatchObject({ status: 200 });
    expect(await german.output()).toEqual({ n: 1500 });
  });

  it("may be one of JSON", async () => {
    const german = await asked(N, "de");
    expect(await german.send(json({ n: 1.5 }))).toMatchObject({ status: 200 });
    expect(await german.output()).toEqual({ n: 1.5 });
  });
});

describe("a moment on a page", () => {
  const AT: InputDefinition = { at: { type: "datetime" } };

  it.each([
    ["2027-03-01T09:30", "2027-03-01T09:30:00Z"],
    ["2027-03-01T09:30:05", "2027-03-01T09:30:05Z"],
    ["2027-03-01T09:30:05.250", "2027-03-01T09:30:05.250Z"],
  ])("is in UTC, and is stored as a program sends it: %s", async (text, at) => {
    const { show, output } = await asked(AT, "de");
    expect((await show(form({ "/at": text }))).status).toBe(200);
    expect(await output()).toEqual({ at });
  });

  it("is shown again as it was sent, if it is none", async () => {
    const { show } = await asked(AT);
    const { status, document } = await show(form({ "/at": "2027-02-30T09:30" }));
    expect(status).toBe(422);
    expect(document.querySelector('[name="/at"]')?.getAttribute("value")).toBe("2027-02-30T09:30");
  });

  it.each([
    ["2027-03-01T09:30:00Z", "2027-03-01T09:30:00"],
    ["2027-03-01T09:30:00+02:00", "2027-03-01T07:30:00"],
    ["2027-03-01T09:30", "2027-03-01T09:30"],
  ])("that the form begins with is one that browsers show: %s", async (preset, shown) => {
    const { show } = await asked(AT, null, { at: preset });
    const { document } = await show({ headers: HTML });
    expect(document.querySelector('[name="/at"]')?.getAttribute("value")).toBe(shown);
  });

  it("of a program stays as it is", async () => {
    const { send, output } = await asked(AT);
    await send(json({ at: "2027-03-01T09:30" }));
    expect(await output()).toEqual({ at: "2027-03-01T09:30" });
  });
});
