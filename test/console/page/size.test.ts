/** The files of the console stay small: what people wait for with the first page, and all of them. */
import { beforeAll, describe, expect, it } from "vitest";
import { webConsole } from "../../../adapters/console/web-console.ts";
import { LANGUAGES } from "../../../src/web-pages/languages.ts";

/** Kilobytes (1,000 bytes) after gzip, by the name of the chunk. `index` loads with the page, and English beside it. */
const BUDGETS: Readonly<Record<string, number>> = {
  index: 65,
  canvas: 75,
  editor: 170,
  "reference-screen": 20,
  shared: 50,
};
/** Of a chunk without an entry of its own, such as a screen, the styles or the texts of a language. */
const OTHER_BUDGET = 25;
/**
 * Languages other than English count apart: there will be more of them, each of about the same size, and a page loads the
 * one that is read. Each has the texts of all screens, and the words of cron expressions.
 */
const LANGUAGE_BUDGET = 30;
/** What a language says of built-in services and trigger types, which load with the first screen that shows them. */
const BUILT_INS_BUDGET = 6;
/** Of everything else, English included. */
const TOTAL_BUDGET = 540;
const OTHER_LANGUAGES = LANGUAGES.filter((language) => language !== "en");
const TRANSLATIONS: ReadonlyMap<string, number> = new Map(
  OTHER_LANGUAGES.flatMap((language): [string, number][] => [
    [language, LANGUAGE_BUDGET],
    [`built-ins-${language}`, BUILT_INS_BUDGET],
  ]),
);

interface Size {
  readonly name: string;
  readonly kilobytes: number;
}

let sizes: readonly Size[] = [];

beforeAll(async () => {
  const { files } = await webConsole().load();
  sizes = await Promise.all(
    [...files].map(async ([path, { gzip }]) => {
      const [, name = path] = /^assets\/(.+)-[\w-]{8}\.\w+$/.exec(path) ?? [];
      return { name, kilobytes: (await gzip()).length / 1_000 };
    }),
  );
});

const sumOf = (some: readonly Size[]) => some.reduce((sum, { kilobytes }) => sum + kilobytes, 0);

describe("the files of the console", () => {
  it("are at most as large as their budgets, scripts and styles of a chunk together", () => {
    const names = [...new Set(sizes.map(({ name }) => name))];
    expect(names).toContain("index");
    const budgetOf = (name: string) => BUDGETS[name] ?? TRANSLATIONS.get(name) ?? OTHER_BUDGET;
    const tooLarge = names
      .map((name) => ({ name, kilobytes: sumOf(sizes.filter((one) => one.name === name)) }))
      .filter(({ name, kilobytes }) => kilobytes > budgetOf(name));
    expect(tooLarge).toEqual([]);
  });

  it("are within the budget of all together, without translations", () => {
    const found = sizes.filter(({ name }) => TRANSLATIONS.has(name));
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(TRANSLATIONS.keys()));
    expect(sumOf(sizes) - sumOf(found)).toBeLessThanOrEqual(TOTAL_BUDGET);
  });
});
