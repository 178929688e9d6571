/** What is wrong with the controls of a form, in the language of its page. Pure. */
import type { StepwellError } from "../../errors.ts";
import type { PageTexts } from "../../web-pages/page-texts.ts";
import { readableBytes } from "../../web-pages/quantities.ts";
import type { TextName } from "../../web-pages/texts/text-names.ts";
import { type FormField, valueAt, withNested } from "../form-values.ts";
import type { Notation } from "../model/notation.ts";
import type { Submission } from "../read-submission.ts";
import { isWrittenNumber, notationOf, numberProblem } from "../written-values.ts";

/** One message for each control, by its name. A value that no control of the form has is named by its JSON Pointer. */
export function messagesOf(
  { errors }: StepwellError,
  fields: readonly FormField[],
  submission: Submission,
  texts: PageTexts,
): Map<string, string> {
  const all = withNested(fields);
  const messages = new Map<string, string>();
  for (const { pointer } of errors) {
    const field = all.findLast(({ name }) => pointer === name || pointer.startsWith(`${name}/`));
    if (field === undefined) messages.set(pointer, texts.say("wrong_foreign"));
    else if (!messages.has(field.name)) messages.set(field.name, messageOf(field, submission, texts));
  }
  return messages;
}

function messageOf(form: FormField, submission: Submission, { language, say }: PageTexts): string {
  const large = submission.largeFiles.get(form.name);
  if (large !== undefined) return say("wrong_size", { name: large.name, limit: readableBytes(large.limit, language) });
  const notation = notationOf(language);
  return say(wrong(form, submission, notation), { example: notation.example });
}

function wrong(form: FormField, { texts, values }: Submission, notation: Notation): TextName {
  const { name, field, control } = form;
  const given = texts.get(name) ?? [];
  if (given.every((text) => text.trim() === "") && valueAt(values, name) === undefined) return "wrong_required";
  if (control === "json") return "wrong_json";
  switch (field.type) {
    case "file":
      return "wrong_file";
    case "number":
      if (!isWrittenNumber(form)) return "wrong_choice";
      return numberProblem(given, notation) === "precise" ? "wrong_precise" : "wrong_number";
    case "string":
      return field.validation === "url" ? "wrong_url" : "wrong_choice";
    case "date":
      return "wrong_date";
    case "datetime":
      return "wrong_datetime";
    case "time":
      return "wrong_time";
    case "boolean":
    case "select":
    case "connection":
      return "wrong_choice";
    default:
      return "wrong_value";
  }
}
