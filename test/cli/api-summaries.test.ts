/**
 * adapters/cli/api/summaries.ts contains the first sentences of the comments in src/api/.
 * `npx vitest run test/cli/api-summaries.test.ts -u` updates it.
 */
import { expect, it } from "vitest";
import { apiFunctions } from "../../adapters/cli/api/functions.ts";
import { SUMMARIES } from "../../adapters/cli/api/summaries.ts";
import { apiComments } from "../support/cli/api-comments.ts";

const HEAD = `/**
 * What the functions of \`stepwell api\` do. Generated from the comments in src/api/ by test/cli/api-summaries.test.ts;
 * groups are under "".
 */
export const SUMMARIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
`;
const WIDTH = 120;
/** After a name that is not longer, a line break would save too little: the formatter makes none. */
const SHORT_NAME = 4;

const comments = apiComments();
const interfaceOf = (group: string) => `${group.charAt(0).toUpperCase()}${group.slice(1)}Api`;

function line(name: string, sentence: string): string {
  const text = /^\w+$/.test(name) ? name : '""';
  const quoted = sentence.includes('"') && !sentence.includes("'") ? `'${sentence}'` : JSON.stringify(sentence);
  const whole = `    ${text}: ${quoted},`;
  return whole.length <= WIDTH || text.length <= SHORT_NAME ? `${whole}\n` : `    ${text}:\n      ${quoted},\n`;
}

it("adapters/cli/api/summaries.ts contains the comment of every function", async () => {
  const groups = [...new Set(apiFunctions().map(({ group }) => group))].map((group) => {
    const own = comments.get(interfaceOf(group)) ?? comments.get("RecordFunctions");
    const names = apiFunctions().flatMap((one) => (one.group === group ? [one.name] : []));
    const sentence = (name: string) =>
      comments.get(interfaceOf(group))?.get(name) ?? own?.get(name) ?? BY_HAND[`${group}.${name}`];
    const group_ = group === "me" ? "The app and the key of the requests." : comments.get("Api")?.get(group);
    return `  ${group}: {\n${line("", group_ ?? "")}${names.map((name) => line(name, sentence(name) ?? "")).join("")}  },\n`;
  });
  await expect(`${HEAD}${groups.join("")}};\n`).toMatchFileSnapshot("../../adapters/cli/api/summaries.ts");
});

/** What only the client has. */
const BY_HAND: Readonly<Record<string, string>> = {
  "me.get": "Returns the app and the key of the client, and what the host has configured.",
};

it("no function is without a comment", () => {
  const without = apiFunctions().filter(({ group, name }) => !SUMMARIES[group]?.[name]);
  expect(without.map(({ group, name }) => `${group}.${name}`)).toEqual([]);
});
