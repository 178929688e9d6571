/** Dates of spreadsheets: numbers that only the format of their cell tells from others. ECMA-376 part 1, 18.8.30. */
import { DAY_MS } from "../../../src/time/units.ts";
import type { Archive } from "../archive.ts";
import { readXml } from "../xml.ts";

/** Days from the start of a sheet's time to that of Unix. */
const EPOCH = { 1900: 25_569, 1904: 24_107 };
/** Formats that every spreadsheet knows, by number. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58 && id !== 48 && id !== 49);

/** Reads the styles: which of them, by their places, are for dates. */
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

/** Whether there is a part of a date in it, apart from quoted text, escaped characters and colours. */
function isDateFormat(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|_.|\[(?![hms]+\])[^[\]]*\]/gi, "");
  return /[dmyhs]/i.test(bare) && !/^general$/i.test(bare);
}

/** A date, a time of day, or both, as ISO 8601 writes them. */
export function dateText(serial: number, startsIn1904: boolean): string {
  const days = serial - (startsIn1904 ? EPOCH[1904] : EPOCH[1900]);
  const date = new Date(Math.round((days * DAY_MS) / 1000) * 1000);
  if (Number.isNaN(date.getTime())) return String(serial);
  const [day = "", rest = ""] = date.toISOString().split("T");
  const time = rest.slice(0, 8);
  if (serial >= 0 && serial < 1) return time;
  return Number.isInteger(serial) ? day : `${day} ${time}`;
}
