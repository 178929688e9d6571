/** Texts that depend on a number. */

/** Picks the form of a word for a count: `plural("en", 3, { one: "run", other: "runs" })`. Some languages have one form. */
export function plural(
  language: string,
  count: number,
  forms: Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>,
): string {
  const rule = new Intl.PluralRules(language).select(count);
  return `${new Intl.NumberFormat(language).format(count)} ${forms[rule] ?? forms.other}`;
}
