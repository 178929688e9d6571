/** Sizes and media types for people. */
import { type Language, localeOf } from "./languages.ts";
import type { Say } from "./page-texts.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** A number of bytes, in decimal units. The script of the upload page contains the same function. */
export function readableBytes(bytes: number, language: Language): string {
  const power = bytes < 10_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const unitDisplay = power === 0 ? "long" : "short";
  const unit = { style: "unit", unit: UNITS[power], unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(localeOf(language), unit).format(bytes / 1_000 ** power);
}

/** Names media types as people call them: "Images, PDF". Null means any. */
export type TypeNames = (allowed: readonly string[] | null) => string;

export async function typeNamesIn(say: Say): Promise<TypeNames> {
  const { default: mime } = await import("mime");
  const families: Readonly<Record<string, string>> = {
    "audio/*": say("type_audio"),
    "image/*": say("type_image"),
    "text/*": say("type_text"),
    "video/*": say("type_video"),
  };
  return (allowed) => {
    if (allowed === null || allowed.includes("*/*")) return say("upload_any");
    const names = allowed.map((type) => families[type] ?? mime.getExtension(type)?.toUpperCase() ?? type);
    return [...new Set(names)].join(say("separator"));
  };
}
