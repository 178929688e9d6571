/** What a reader sees on a page beside its content: filled-in form fields, notes and text put on it. ISO 32000-2, 12.5. */

/** Bits of an annotation's flags: it is not shown at all, or not on a screen. ISO 32000-2, 12.5.3. */
const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;

type Fields = Readonly<Record<string, unknown>>;

/** A line for each field that has a value, and for each annotation with a text. @param annotations As PDF.js tells them */
export function annotationLines(annotations: readonly unknown[]): string[] {
  return annotations.flatMap((given) => {
    if (typeof given !== "object" || given === null) return [];
    const annotation = { ...given } as Fields; // whose fields are checked one by one
    if ((Number(annotation["annotationFlags"]) & (HIDDEN | NO_VIEW)) !== 0) return [];
    const line = annotation["subtype"] === "Widget" ? fieldLine(annotation) : noteLine(annotation);
    return line === "" ? [] : [line];
  });
}

function fieldLine(field: Fields): string {
  const value = shownValue(field);
  const name = textOf(field["alternativeText"]) || textOf(field["fieldName"]);
  return value === "" || name === "" ? value : `${name}: ${value}`;
}

function shownValue({ fieldType, fieldValue, exportValue, buttonValue, options, password }: Fields): string {
  if (password === true) return "";
  if (fieldType === "Ch") return chosen(fieldValue, options).join(", ");
  if (fieldType !== "Btn") return textOf(fieldValue);
  const state = textOf(fieldValue);
  const isOn = state !== "" && state !== "Off" && (state === exportValue || state === buttonValue);
  return isOn ? state : "";
}

/** What a choice field shows for the values that it keeps. */
function chosen(value: unknown, options: unknown): string[] {
  const labels = new Map<unknown, unknown>();
  const given: readonly unknown[] = Array.isArray(options) ? options : [];
  for (const option of given) {
    if (typeof option !== "object" || option === null) continue;
    if ("exportValue" in option && "displayValue" in option) labels.set(option.exportValue, option.displayValue);
  }
  return (Array.isArray(value) ? value : [value]).map((one) => textOf(labels.get(one) ?? one));
}

function noteLine({ subtype, contentsObj }: Fields): string {
  if (subtype === "Link" || subtype === "Popup") return "";
  const isText = typeof contentsObj === "object" && contentsObj !== null && "str" in contentsObj;
  return isText ? textOf(contentsObj.str) : "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.replace(/\r\n?/g, "\n").trim() : "";
}
