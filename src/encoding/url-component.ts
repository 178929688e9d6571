/** Percent-encodes text for URLs. Pure. */

/** Half of a surrogate pair, which UTF-8 cannot encode, so that no URL can contain it. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

export const UNPAIRED = "Must not contain an unpaired surrogate, which UTF-8 cannot encode.";

export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/** Like `encodeURIComponent`, but encodes an unpaired surrogate as U+FFFD, as browsers do, instead of throwing. */
export function urlComponent(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATES, "\uFFFD"));
}
