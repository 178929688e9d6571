/** Dates in spreadsheets: numbers that only the cell's number format marks as dates. ECMA-376 part 1, 18.8.30. */
import { DAY_MS } from "../../../src/time/units.ts";
import type { Archive } from "../archive.ts";
import { readXml } from "../xml.ts";

/** Days from a workbook's epoch to the Unix epoch. */
const EPOCH = { 1900: 25_569, 1904: 24_107 };
/** Whether a built-in number format is a date. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58 && id !== 48 && id !== 49);

/** Reads the styles and returns whether a style index is a date format. */
export async function dateFormats(archive: Archive, part: string): Promise<(style: string | undefined) => boolean> {
  const own = new Map<number, boolean>();
  const styles: boolean[] = [];
  let isCell = false;
  await readXml(archive, part, {
    open(name, attributes) {
      const id = Number(attributes["numFmtId"]);
      if (name === "numFmt") own.set(id, isDateFormat(attributes["formatCode"] ?? ""));
      if (name === "cellXfs") isCell = true;
      if (name === "xf" && isCell) styles.push(own.get(id) ?? isBuiltInDate(id));
    },
    close(name) {
      if (name === "cellXfs") isCell = false;
    },
  });
  return (style) => styles[Number(style)] ?? false;
}

/** Whether a format contains a part of a date, ignoring quoted text, escaped characters and colors. */
function isDateFormat(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|_.|\[(?![hms]+\])[^[\]]*\]/gi, "");
  return /[dmyhs]/i.test(bare) && !/^general$/i.test(bare);
}

/** Formats a date, a time, or both, as in ISO 8601. */
export function dateText(serial: number, startsIn1904: boolean): string {
  const days = serial - (startsIn1904 ? EPOCH[1904] : EPOCH[1900]);
  const date = new Date(Math.round((days * DAY_MS) / 1000) * 1000);
  if (Number.isNaN(date.getTime())) return String(serial);
  const [day = "", rest = ""] = date.toISOString().split("T");
  const time = rest.slice(0, 8);
  if (serial >= 0 && serial < 1) return time;
  return Number.isInteger(serial) ? day : `${day} ${time}`;
}
