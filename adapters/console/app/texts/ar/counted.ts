/** Numbers of things. */
import { plural } from "../plural.ts";

interface Forms {
  /** One thing and two things are words without a digit. */
  readonly one: string;
  readonly two: string;
  /** From 3 to 10. */
  readonly few: string;
  /** From 11 to 99. */
  readonly many: string;
  /** None, and hundreds. */
  readonly other: string;
}

export function counted(count: number, forms: Forms): string {
  if (count === 1) return forms.one;
  if (count === 2) return forms.two;
  return plural("ar-u-nu-latn", count, { few: forms.few, many: forms.many, other: forms.other });
}

export const countedRuns = (count: number): string =>
  counted(count, {
    one: "عملية تشغيل واحدة",
    two: "عمليتا تشغيل",
    few: "عمليات تشغيل",
    many: "عملية تشغيل",
    other: "عملية تشغيل",
  });

export const countedProblems = (count: number): string =>
  counted(count, { one: "مشكلة واحدة", two: "مشكلتان", few: "مشكلات", many: "مشكلة", other: "مشكلة" });

export const countedItems = (count: number): string =>
  counted(count, { one: "عنصر واحد", two: "عنصران", few: "عناصر", many: "عنصرًا", other: "عنصر" });

export const countedLines = (count: number): string =>
  counted(count, { one: "سطر واحد", two: "سطران", few: "أسطر", many: "سطرًا", other: "سطر" });

export const countedCharacters = (count: number): string =>
  counted(count, { one: "حرف واحد", two: "حرفان", few: "أحرف", many: "حرفًا", other: "حرف" });
