/** Visible text outside a page's content: form fields, notes and text annotations. ISO 32000-2, 12.5. */

/** Annotation flags: hidden, or not shown on screen. ISO 32000-2, 12.5.3. */
const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a line for each filled form field and each annotation with text.
 * @param annotations As returned by PDF.js.
 */
export function annotationLines(annotations: readonly unknown[]): string[] {
  return annotations.flatMap((item) => {
    if (typeof item !== "object" || item === null) return [];
    const annotation = { ...item } as Fields; // each field is checked where it is used
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

/** Returns the labels that a choice field shows for its values. */
function chosen(value: unknown, options: unknown): string[] {
  const labels = new Map<unknown, unknown>();
  const choices: readonly unknown[] = Array.isArray(options) ? options : [];
  for (const option of choices) {
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
