/** Content negotiation by `Accept` (RFC 9110 §12.5.1). Pure. */

/** A form of a response: its media type, and its text. */
export interface Form<Result> {
  /** Media type without parameters, such as `text/plain`. */
  readonly type: string;
  text(result: Result): string;
}

/** A media range: a type, `type/*` or any type, and its weight. */
const RANGE = /^([\w.+-]+|\*)\/([\w.+-]+|\*)$/;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;
/** Longer headers are cut: browsers send about 150 characters. */
const MAX_ACCEPT_CHARS = 2_048;

/**
 * The form that a client prefers. Of several that it likes equally, and if it accepts none of them, the first: a response in
 * another form is more useful than none.
 */
export function preferredForm<Result>(
  accept: string | null,
  forms: readonly [Form<Result>, ...Form<Result>[]],
): Form<Result> {
  if (accept === null) return forms[0];
  const ranges = accept
    .slice(0, MAX_ACCEPT_CHARS)
    .split(",")
    .map((given) => given.split(";").map((part) => part.trim().toLowerCase()));
  let best = { form: forms[0], weight: 0 };
  for (const form of forms) {
    const weight = weightOf(form.type, ranges);
    if (weight > best.weight) best = { form, weight };
  }
  return best.form;
}

/** The weight of the most specific range that contains the type; 0 if there is none. */
function weightOf(type: string, ranges: readonly (readonly string[])[]): number {
  const [kind = ""] = type.split("/");
  let found = { weight: 0, precision: -1 };
  for (const [range = "", ...parameters] of ranges) {
    if (!RANGE.test(range)) continue;
    const precision = [`*/*`, `${kind}/*`, type].indexOf(range);
    if (precision <= found.precision) continue;
    const [, weight = "1"] = parameters.map((given) => WEIGHT.exec(given)).find((match) => match !== null) ?? [];
    found = { weight: Number(weight), precision };
  }
  return found.weight;
}
