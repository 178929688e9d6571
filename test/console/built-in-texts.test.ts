/** The server's own services and trigger types in the languages of the console. English is that of the server. */
import { beforeAll, describe, expect, it } from "vitest";
import { loadBuiltInTexts } from "../../adapters/console/app/built-ins/load-texts.ts";
import { translatedService, translatedTriggerType } from "../../adapters/console/app/built-ins/translate.ts";
import type { BuiltInTexts } from "../../adapters/console/app/texts/built-in-texts.ts";
import type { TriggerTypeInfo } from "../../src/collections/triggers/trigger-type-info.ts";
import { createTriggerTypes } from "../../src/collections/triggers/trigger-types.ts";
import { schemaModel } from "../../src/forms/model/schema-model.ts";
import { isRecord } from "../../src/json.ts";
import { createServices } from "../../src/services/registry.ts";
import type { ServiceInfo } from "../../src/services/service-info.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { LANGUAGES, type Language } from "../../src/web-pages/languages.ts";

let services: readonly ServiceInfo[] = [];
let triggerTypes: readonly TriggerTypeInfo[] = [];

beforeAll(async () => {
  const all = createServices([], {
    clock: systemClock,
    fileBytes: 1_000,
    webSearch: { search: () => Promise.resolve([]) },
  });
  services = await all.describe();
  triggerTypes = await createTriggerTypes([], all).describe();
});

async function textsIn(language: Language): Promise<BuiltInTexts> {
  return required(await loadBuiltInTexts(language));
}

const translated = (texts: BuiltInTexts) => [
  ...services.map((service) => translatedService(service, texts)),
  ...triggerTypes.map((type) => translatedTriggerType(type, texts)),
];

/** Each title and description, with its place. */
function textsOf(value: unknown, place = ""): readonly (readonly [place: string, text: string])[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => textsOf(one, `${place}/${index}`));
  if (!isRecord(value)) return [];
  const name = typeof value["name"] === "string" ? value["name"] : "";
  const at = name === "" ? place : `${place}(${name})`;
  return Object.entries(value).flatMap(([key, part]) =>
    (key === "title" || key === "description") && typeof part === "string"
      ? [[`${at}/${key}`, part] as const]
      : textsOf(part, `${at}/${key}`),
  );
}

/** A table in which each text says where it stands. */
function marked(texts: BuiltInTexts): { readonly table: BuiltInTexts; readonly marks: ReadonlySet<string> } {
  const marks = new Set<string>();
  const markedPart = <Part extends object>(part: Part, place: string): Part =>
    Object.fromEntries(
      Object.entries(part).map(([key, value]) => {
        const mark = `${place}/${key}`;
        if (typeof value !== "string") return [key, markedPart(value, mark)];
        marks.add(mark);
        return [key, mark];
      }),
    ) as Part; // the same names
  return { table: markedPart(texts, "§"), marks };
}

describe.each(LANGUAGES.filter((language) => language !== "en"))("the texts of built-ins in %s", (language) => {
  it("are there for each title and description, and each of them is shown", async () => {
    const { table, marks } = marked(await textsIn(language));
    const shown = textsOf(translated(table));
    expect(shown.filter(([, text]) => !text.startsWith("§"))).toEqual([]);
    expect([...marks].filter((mark) => !shown.some(([, text]) => text === mark))).toEqual([]);
    expect(shown.length).toBeGreaterThan(100);
  });

  it("name the same settings, values and numbers as those in English", async () => {
    const builtIns = await textsIn(language);
    const [own, english] = [textsOf(translated(builtIns)), textsOf([...services, ...triggerTypes])];
    expect(own.map(([place]) => place)).toEqual(english.map(([place]) => place));
    for (const [index, [place, text]] of english.entries()) {
      const names = text.match(/\b[a-z]+_[a-z_]+\b|\b[a-z]+\/[a-z-]+\b|\d+/g) ?? [];
      for (const name of names) expect.soft(own[index]?.[1], `${place}: ${text}`).toContain(name);
    }
  });
});

it("in French, they have no-break spaces before double punctuation, and typographic apostrophes", async () => {
  const french = textsOf(translated(await textsIn("fr"))).map(([, text]) => text);
  expect(french.filter((text) => / [:;!?»]|« |\p{L}'\p{L}/u.test(text))).toEqual([]);
});

describe("a built-in service", () => {
  it("needs no texts in English", async () => {
    expect(await loadBuiltInTexts("en")).toBeNull();
  });

  it("is shown in German with its actions, its arguments and its ways to sign in", async () => {
    const builtIns = await textsIn("de");
    const [http] = services.filter(({ name }) => name === "http").map((one) => translatedService(one, builtIns));
    expect(http?.actions[0]).toMatchObject({ name: "request", title: "HTTP-Anfrage senden" });
    const credentials = schemaModel(http?.connection ?? null);
    const labels = credentials.kind === "variants" ? credentials.variants.map(({ label }) => label) : [];
    expect(labels.slice(0, 4)).toEqual(["Bearer-Token", "Benutzername und Passwort", "Header", "Query-Parameter"]);
    const pages = schemaModel(http?.actions[1]?.input ?? null);
    const fields = pages.kind === "object" ? pages.fields : [];
    expect(fields.find(({ key }) => key === "next")).toMatchObject({
      desc: "Wie die nächste Seite gefunden wird.",
      shape: { variants: [{ desc: 'Folgt dem Header Link mit rel="next" (RFC 8288).' }, {}, {}, {}, {}] },
    });
  });
});

describe("what a host defines", () => {
  it("keeps its texts, also where it has names of built-in actions and fields", async () => {
    const builtIns = await textsIn("de");
    const title = "Our files";
    const input = { type: "object", properties: { file_id: { type: "string", description: "Our id." } } };
    const action = { name: "read", title: "Read", description: "Reads.", input, output: null };
    const service = { name: "our_files", title, needs_connection: false, connection: null, actions: [action] };
    expect(translatedService(service, builtIns)).toEqual(service);
    for (const name of ["toString", "__proto__"]) {
      expect(translatedService({ ...service, name }, builtIns)).toEqual({ ...service, name });
    }
  });

  it("has the settings of all triggers in the language of the page", async () => {
    const builtIns = await textsIn("de");
    const [poll] = triggerTypes.filter(({ name }) => name === "poll");
    const own = translatedTriggerType({ ...required(poll), name: "our_poll", title: "Our poll" }, builtIns);
    expect(own).toMatchObject({
      title: "Our poll",
      config: { properties: { url: { description: "URL of the list." } } },
      common_config: { properties: { interval: { title: "Abstand" } } },
    });
  });
});

function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error("It is not there.");
  return value;
}
