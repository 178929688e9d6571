/** The markup of the controls of a form. Labels, hints and errors are connected for screen readers. */
import { attributes, escapeHtml } from "../../web-pages/html.ts";
import type { Language } from "../../web-pages/languages.ts";
import type { Say } from "../../web-pages/page-texts.ts";
import { readableBytes } from "../../web-pages/quantities.ts";
import { canHaveLines, choicesOf } from "../../workflows/field-options.ts";
import type { Display } from "../../workflows/input/display.ts";
import type { InputField } from "../../workflows/input/input-field.ts";
import { type FormField, hasEmptyChoice, type Submitted, withNested } from "../form-values.ts";
import { notationOf } from "../written-values.ts";

export interface ControlParts {
  readonly say: Say;
  readonly language: Language;
  readonly texts: Submitted;
  /** Messages by the names of their controls. */
  readonly errors: ReadonlyMap<string, string>;
  /** The layout of fields that have none. */
  readonly display: Display;
  /** The connections of the app that a field accepts. */
  readonly connections: (field: InputField) => readonly { readonly id: string; readonly name: string }[];
  readonly markdown: (text: string) => string;
  /** The ids of controls by their names. Names may contain what ids must not. */
  readonly ids: ReadonlyMap<string, string>;
  /** Media types for people. */
  readonly typeNames: (allowed: readonly string[]) => string;
}

/** The ids of controls: their numbers. */
export const idsOf = (fields: readonly FormField[]): ReadonlyMap<string, string> =>
  new Map(withNested(fields).map(({ name }, index) => [name, `field-${index + 1}`]));

export function controlsOf(fields: readonly FormField[], parts: ControlParts): string {
  return fields.map((field) => controlHtml(field, parts)).join("");
}

function controlHtml(form: FormField, parts: ControlParts): string {
  const { field, control } = form;
  const layout = ["field", field.display?.container ?? parts.display.container ?? "full"];
  if ((field.display?.field ?? parts.display.field) === "inline") layout.push("inline");
  const wrap = (inner: string) => `<div class="${layout.join(" ")}">\n${inner}</div>\n`;
  if (field.type === "content") {
    const heading = field.name === undefined ? "" : `<p class="label">${isolated(field.name)}</p>\n`;
    return wrap(`${heading}<div class="markdown" dir="auto">${parts.markdown(field.content ?? "")}</div>\n`);
  }
  if (["group", "choices", "radio", "asked"].includes(control)) return wrap(groupHtml(form, parts));
  if (control === "check") return wrap(checkHtml(form, parts));
  const label = `<label for="${idOf(form, parts)}">${labelText(form, parts)}</label>\n`;
  return wrap(`${label}${inputHtml(form, parts)}${notesHtml(form, parts)}`);
}

const idOf = ({ name }: FormField, { ids }: ControlParts) => ids.get(name) ?? "";

function labelText({ label, field }: FormField, { say }: ControlParts): string {
  const optional = field.optional === true ? ` <span class="optional">(${say("form_optional")})</span>` : "";
  return `${isolated(label)}${optional}`;
}

/** A text of an author, which may have another direction than the page. */
const isolated = (text: string) => `<bdi>${escapeHtml(text)}</bdi>`;

/** A fieldset: an object with its fields, or choices to check. Errors lead to it, or to its first choice. */
function groupHtml(form: FormField, parts: ControlParts): string {
  const { field, fields } = form;
  const isObject = field.type === "object";
  const options = isObject ? controlsOf(fields, parts) : optionsHtml(form, parts);
  const place = isObject ? { id: idOf(form, parts), tabindex: "-1" } : choiceGroup(form);
  return `<fieldset${attributes({ ...place, ...describedBy(form, parts) })}>
<legend>${labelText(form, parts)}</legend>
${notesHtml(form, parts)}<div>
${options}</div>
</fieldset>
`;
}

function choiceGroup({ control, hasValueWithoutAnswer }: FormField): Parameters<typeof attributes>[0] {
  if (control === "choices") return { class: "plain" };
  const radio = { role: "radiogroup", "aria-required": hasValueWithoutAnswer ? undefined : "true" };
  return { class: control === "asked" ? "plain in-row" : "plain", ...radio };
}

function optionsHtml(form: FormField, parts: ControlParts): string {
  const { name, field, control } = form;
  const { say } = parts;
  const isRadio = control !== "choices";
  // A radio button cannot be cleared.
  const none = { value: "", label: say("form_none") };
  const hasNone = isRadio && field.optional === true && !hasEmptyChoice(field);
  const yesOrNo = [
    { value: "true", label: say("form_yes") },
    { value: "false", label: say("form_no") },
  ];
  const own = control === "asked" ? yesOrNo : choices(field, parts.language);
  const offered = hasNone ? (control === "asked" ? [...own, none] : [none, ...own]) : own;
  const taken = new Set(parts.texts.get(name) ?? (hasNone ? [""] : []));
  return offered
    .map(({ value, label }, index) => {
      const id = index === 0 ? idOf(form, parts) : undefined;
      const input = { type: isRadio ? "radio" : "checkbox", name, value, id, checked: taken.has(value) };
      return `<label class="option"><input${attributes(input)}> ${isolated(label)}</label>\n`;
    })
    .join("");
}

function checkHtml(form: FormField, parts: ControlParts): string {
  const { name, label } = form;
  const checked = parts.texts.get(name)?.[0] === "true";
  const own = { type: "checkbox", id: idOf(form, parts), name, value: "true", checked, ...describedBy(form, parts) };
  return `<label class="option"><input${attributes(own)}> ${isolated(label)}</label>\n${notesHtml(form, parts)}`;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The choices of a field with their labels. */
function choices(field: InputField, language: Language): Choice[] {
  if (field.type !== "select" && field.type !== "string" && field.type !== "number") return [];
  const { formatNumber } = notationOf(language);
  const textOf = (value: string | number) => (field.type === "number" ? formatNumber(Number(value)) : String(value));
  const accepted = field.type === "select" ? undefined : choicesOf(field);
  const all = [...(field.type === "select" ? field.options : []), ...(field.list ?? [])].map((choice): Choice => {
    if (typeof choice !== "object") return { value: String(choice), label: textOf(choice) };
    const description = "desc" in choice && choice.desc !== undefined ? ` – ${choice.desc}` : "";
    return { value: String(choice.value), label: `${choice.label ?? textOf(choice.value)}${description}` };
  });
  return accepted === undefined ? all : all.filter(({ value }) => accepted.map(String).includes(value));
}

function inputHtml(form: FormField, parts: ControlParts): string {
  const { name, field, control } = form;
  const [text = ""] = parts.texts.get(name) ?? [];
  const own = {
    id: idOf(form, parts),
    name,
    "aria-required": form.hasValueWithoutAnswer ? undefined : "true",
    placeholder: field.placeholder,
    ...describedBy(form, parts),
  };
  if (control === "lines" || control === "json") {
    const dir = control === "json" ? "ltr" : undefined;
    return `<textarea${attributes({ ...own, dir })}>\n${escapeHtml(text)}</textarea>\n`;
  }
  if (field.type === "file") {
    const accept = field.allowed_types?.join(",");
    const { placeholder: _, ...rest } = own;
    return `<input${attributes({ ...rest, type: "file", accept, multiple: field.array === true })}>\n`;
  }
  const offered = field.type === "connection" ? connectionsOf(field, parts) : choices(field, parts.language);
  if (field.type === "select" && field.additional_options === true) {
    const list = `${own.id}-list`;
    const options = offered.map(({ value, label }) => `<option${attributes({ value, label })}></option>`).join("");
    return `<input${attributes({ ...own, type: "text", value: text, list })}><datalist id="${list}">${options}</datalist>\n`;
  }
  if (offered.length > 0 || field.type === "connection") return selectHtml(own, offered, form, parts);
  if (canHaveLines(field) && (field.display?.control === "multiline" || /[\r\n]/.test(text))) {
    return `<textarea${attributes(own)}>\n${escapeHtml(text)}</textarea>\n`;
  }
  return `<input${attributes({ ...own, ...inputType(field), value: text })}>\n`;
}

function connectionsOf(field: InputField, { connections }: ControlParts): Choice[] {
  return connections(field).map(({ id, name }) => ({ value: id, label: name }));
}

function selectHtml(
  own: Parameters<typeof attributes>[0],
  offered: readonly Choice[],
  { name, field }: FormField,
  { say, texts }: ControlParts,
): string {
  const { placeholder, ...rest } = own;
  const text = texts.get(name)?.[0] ?? null;
  // Nothing is sent for a selected option that is disabled, so the choice with the empty value stays distinct.
  const nothing = hasEmptyChoice(field) ? { disabled: true, selected: text === null } : {};
  const empty = `<option${attributes({ value: "", ...nothing })}>${escapeHtml(String(placeholder ?? say("form_choose")))}</option>`;
  const options = offered.map(
    ({ value, label }) => `<option${attributes({ value, selected: value === text })}>${escapeHtml(label)}</option>`,
  );
  return `<select${attributes(rest)}>\n${[empty, ...options].join("\n")}\n</select>\n`;
}

function inputType(field: InputField): Record<string, string | undefined> {
  switch (field.type) {
    case "number":
      // A field of the type "number" drops the signs that the language of the browser does not have: "1,5" becomes 15.
      return { type: "text", inputmode: "decimal", dir: "ltr", autocomplete: "off" };
    case "string":
      return field.validation === "url" ? { type: "text", inputmode: "url", dir: "ltr" } : { type: "text" };
    case "date":
      return { type: "date" };
    case "datetime":
      return { type: "datetime-local", step: "1" };
    case "time":
      return { type: "time", step: "1" };
    default:
      return { type: "text" };
  }
}

/** What stands below a control: its description, how to fill it in, a link, and its error. */
function notesHtml(form: FormField, parts: ControlParts): string {
  const id = idOf(form, parts);
  const error = parts.errors.get(form.name);
  const hints = hintsOf(form, parts);
  const hint = hints.length === 0 ? "" : `<p class="hint" id="${id}-hint">${hints.join(" ")}</p>\n`;
  return `${hint}${error === undefined ? "" : `<p class="wrong" id="${id}-wrong">${escapeHtml(error)}</p>\n`}`;
}

/** Markup of what helps to fill in a control. */
function hintsOf({ field, control }: FormField, { say, language, typeNames }: ControlParts): string[] {
  const isGroup = control === "radio" || control === "choices" || control === "asked";
  const authored = [field.desc, isGroup ? field.placeholder : undefined].filter((text) => text !== undefined);
  const texts: string[] = [];
  if (control === "lines") texts.push(say("hint_lines"));
  if (control === "json") texts.push(say("hint_json"));
  if (field.type === "datetime") texts.push(say("hint_utc"));
  if (field.type === "file" && field.allowed_types !== undefined) {
    texts.push(say("hint_types", { types: typeNames(field.allowed_types) }));
  }
  if (field.type === "file" && field.max_size !== undefined) {
    texts.push(say("hint_size", { limit: readableBytes(field.max_size, language) }));
  }
  const hints = [...authored.map(isolated), ...texts.map(escapeHtml)];
  if (field.link === undefined || !/^https?:\/\//i.test(field.link)) return hints;
  const link = { href: field.link, rel: "noopener noreferrer", target: "_blank" };
  return [...hints, `<a${attributes(link)}>${say("form_more")}</a>`];
}

function describedBy(form: FormField, parts: ControlParts) {
  const hasError = parts.errors.has(form.name);
  const notes = [...(hintsOf(form, parts).length > 0 ? ["hint"] : []), ...(hasError ? ["wrong"] : [])];
  return {
    "aria-describedby": notes.length === 0 ? undefined : notes.map((note) => `${idOf(form, parts)}-${note}`).join(" "),
    "aria-invalid": hasError && form.field.type !== "object" ? "true" : undefined,
  };
}
