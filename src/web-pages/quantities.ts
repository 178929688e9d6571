/** Sizes and media types for people. */
import type { Say } from "./page-texts.ts";

/** A number of bytes, in decimal units. The script of the upload page contains the same function. */
export function readableBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = bytes < 10_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${Number((bytes / 1_000 ** power).toFixed(1))} ${units[power]}`;
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
    return [...new Set(names)].join(", ");
  };
}
