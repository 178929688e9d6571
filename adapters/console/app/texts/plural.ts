/** Texts that depend on a number. */

interface Counting {
  readonly rules: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
}

/** Creating them takes longer than using them. */
const known = new Map<string, Counting>();

function countingIn(language: string): Counting {
  const counting = known.get(language) ?? {
    rules: new Intl.PluralRules(language),
    number: new Intl.NumberFormat(language),
  };
  known.set(language, counting);
  return counting;
}

/** Picks the form of a word for a count: `plural("en", 3, { one: "run", other: "runs" })`. Some languages have one form. */
export function plural(
  language: string,
  count: number,
  forms: Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>,
): string {
  const { rules, number } = countingIn(language);
  return `${number.format(count)} ${forms[rules.select(count)] ?? forms.other}`;
}
