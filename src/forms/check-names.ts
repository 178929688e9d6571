/** Finds what a submitted form contains without effect: names that it does not have, and values that no control takes. Pure. */
import type { FieldError } from "../errors.ts";
import { pointer } from "../json.ts";
import { didYouMean } from "../messages/closest-name.ts";
import { type FormField, type Submitted, withNested } from "./form-values.ts";

export interface ReceivedNames {
  readonly texts: Submitted;
  /** The names with which files came. */
  readonly files: ReadonlySet<string>;
}

/**
 * @param refusesUnknown False for what a web page sends: an extension of the browser may add fields, and a person must not
 * lose an answer because of them.
 */
export function unusedNames(
  fields: readonly FormField[],
  { texts, files }: ReceivedNames,
  refusesUnknown: boolean,
): FieldError[] {
  const controls = new Map(withNested(fields).map((one) => [one.name, one]));
  return [...new Set([...texts.keys(), ...files])].flatMap((name): FieldError[] => {
    const known = controls.get(name);
    if (known !== undefined) {
      const message = unusedMessage(known, texts.get(name) ?? [], files.has(name));
      return message === null ? [] : [{ pointer: name, message }];
    }
    if (!refusesUnknown) return [];
    const near = didYouMean(name, name.startsWith("/") ? controls.keys() : fields.map(({ name }) => name.slice(1)));
    return [{ pointer: name.startsWith("/") ? name : pointer([name]), message: `The form has no such field.${near}` }];
  });
}

/** Why a control does not take what came under its name; null if it does. */
function unusedMessage({ control, fields }: FormField, texts: readonly string[], hasFile: boolean): string | null {
  if (control === "none") return "Must be omitted: a content field has no value.";
  if (control === "group")
    return `Must be sent as its fields${fields[0] === undefined ? "" : `, such as ${fields[0].name}`}.`;
  if (control === "file") return texts.every((text) => text === "") ? null : "Must be a file, in multipart/form-data.";
  if (hasFile) return "Must be text: the field takes no file.";
  const isOnce = texts.length <= 1 || control === "choices" || control === "lines";
  return isOnce ? null : `Must be sent once, not ${texts.length} times.`;
}
