/** The files of the console stay small: what people wait for with the first page, and all of them. */
import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../adapters/console/app/settings/settings.ts";
import { webConsole } from "../../../adapters/console/web-console.ts";

/** Kilobytes (1,000 bytes) after gzip, by the name of the chunk; `index` loads with the page. */
const BUDGETS: Readonly<Record<string, number>> = {
  index: 115,
  canvas: 75,
  layout: 18,
  editor: 170,
  // The language and all its functions: results are shown without asking the server.
  expressions: 48,
  // Regular expressions as the engine has them.
  build: 48,
  reference: 20,
};
/** The texts of a language other than English and its words for cron expressions: a browser loads one language at most. */
const LANGUAGE_BUDGET = 25;
/** Of a chunk without an entry of its own. */
const OTHER_BUDGET = 50;
/** Without languages. The design asks for 540: regular expressions and the language would have to stay on the server. */
const TOTAL_BUDGET = 680;

const isLanguage = (name: string) => LANGUAGES.some((language) => language === name);
const budgetOf = (name: string) => (isLanguage(name) ? LANGUAGE_BUDGET : (BUDGETS[name] ?? OTHER_BUDGET));

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
    expect(names).toEqual(expect.arrayContaining(["index", ...LANGUAGES.filter((language) => language !== "en")]));
    const tooLarge = names
      .map((name) => ({ name, kilobytes: sumOf(sizes.filter((one) => one.name === name)) }))
      .filter(({ name, kilobytes }) => kilobytes > budgetOf(name));
    expect(tooLarge).toEqual([]);
  });

  it("are within the budget of all together, without languages", () => {
    expect(sumOf(sizes.filter(({ name }) => !isLanguage(name)))).toBeLessThanOrEqual(TOTAL_BUDGET);
  });
});
