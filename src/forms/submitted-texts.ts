/** The texts of a submitted form, by the names of the controls that its sender means. Pure. */
import { withLineFeeds } from "../encoding/line-ends.ts";
import { matchNames } from "../encoding/multipart/part-name.ts";
import { pointer } from "../json.ts";
import { choicesOf, hasChoices } from "../workflows/field-options.ts";
import type { InputField } from "../workflows/input/input-field.ts";
import { type FormField, type Submitted, withNested } from "./form-values.ts";

/** Controls are named by JSON Pointers. Programs may send the plain name of a field instead, as they do to webhooks. */
export function controlNames(fields: readonly FormField[]): (given: string) => string {
  const names = withNested(fields).map(({ name }) => name);
  const controls = new Set(names);
  const match = matchNames(names);
  return (given) => {
    const name = match(given);
    const ofPlainName = match(pointer([given]));
    return !controls.has(name) && controls.has(ofPlainName) ? ofPlainName : name;
  };
}

/**
 * Groups texts by their controls. Browsers send every line end as CR LF: texts get line feeds, and a choice the line ends of
 * its definition.
 */
export function submittedTexts(
  fields: readonly FormField[],
  pairs: readonly (readonly [name: string, text: string])[],
): Submitted {
  const controls = new Map(withNested(fields).map(({ name, field }) => [name, field]));
  const texts = grouped(pairs.map(([name, text]) => [name, withLineFeeds(text)]));
  return new Map(
    [...texts].map(([name, given]) => {
      const field = controls.get(name);
      return [name, field === undefined ? given : given.map(choiceMatcher(field))];
    }),
  );
}

function choiceMatcher(field: InputField): (text: string) => string {
  const choices = hasChoices(field) ? (choicesOf(field) ?? []).map(String) : [];
  const byLines = new Map(choices.map((choice) => [withLineFeeds(choice), choice]));
  return (text) => byLines.get(text) ?? text;
}

function grouped(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const [name, text] of pairs) {
    const known = texts.get(name);
    if (known === undefined) texts.set(name, [text]);
    else known.push(text);
  }
  return texts;
}
