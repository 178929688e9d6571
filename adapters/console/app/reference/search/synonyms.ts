/** What people call things, and what the reference calls them. The reference is in English. Pure. */
import { stemOf } from "./words.ts";

/** Words for the same thing. */
const EQUAL_WORDS: readonly (readonly string[])[] = [
  ["start", "run", "execute"],
  ["delete", "remove"],
  ["get", "read", "fetch", "show"],
  ["list", "all", "find", "search"],
  ["create", "new", "add", "start"],
  ["update", "change", "edit", "patch"],
  ["stop", "cancel", "abort"],
  ["key", "token"],
  ["webhook", "hook"],
];

/** Words that the reference does not use, and those that it uses in their place. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  approve: ["provide", "answer"],
  approval: ["provide", "answer"],
  auth: ["key", "signin"],
  authentication: ["key", "signin"],
  await: ["prefer"],
  batch: ["bulk"],
  callback: ["webhook"],
  credential: ["connection"],
  deadletter: ["delivery", "redeliver"],
  forbidden: ["key", "scope"],
  integration: ["connection", "service"],
  login: ["signin"],
  logout: ["signout"],
  oauth: ["connection"],
  paginate: ["page_token", "take"],
  pagination: ["page_token", "take"],
  paging: ["page_token", "take"],
  poll: ["polling"],
  publish: ["deploy"],
  quota: ["too_many_requests", "rate_limit"],
  ratelimit: ["too_many_requests", "rate_limit"],
  rename: ["update"],
  rerun: ["retry", "replay"],
  resume: ["retry", "provide"],
  revoke: ["remove"],
  schedule: ["cron"],
  secret: ["credential"],
  sse: ["stream"],
  throttle: ["too_many_requests", "rate_limit"],
  trigger: ["run", "start"],
  tus: ["upload"],
  unauthorized: ["key", "signin"],
  undeliverable: ["delivery", "redeliver"],
  wait: ["prefer"],
};

/** Words that belong together. */
const PHRASES: ReadonlyMap<string, string> = new Map([
  ["dead letter", "deadletter"],
  ["rate limit", "ratelimit"],
  ["log in", "login"],
  ["log out", "logout"],
  ["sign in", "signin"],
  ["sign out", "signout"],
]);

/** Words that say nothing about what is searched. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an and by do for from how i in is it its my of on or that the to what with".split(" "),
);

/** With phrases as one word, and without words that say nothing, if others are left. @param words Stems. */
export function tellingWords(words: readonly string[]): readonly string[] {
  const joined = words.flatMap((word, at) => {
    const phrase = PHRASES.get(`${word} ${words[at + 1]}`);
    if (phrase !== undefined) return [phrase];
    return PHRASES.has(`${words[at - 1]} ${word}`) ? [] : [word];
  });
  const telling = joined.filter((word) => !STOP_WORDS.has(word));
  return telling.length === 0 ? joined : telling;
}

const SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = synonymsByWord();

function synonymsByWord(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (word: string, others: readonly string[]) => {
    const stem = stemOf(word);
    found.set(stem, new Set([...(found.get(stem) ?? []), ...others.map(stemOf).filter((one) => one !== stem)]));
  };
  for (const group of EQUAL_WORDS) for (const word of group) add(word, group);
  for (const [word, others] of Object.entries(OTHER_WORDS)) add(word, others);
  return found;
}

/** @param word A stem. */
export const synonymsOf = (word: string): ReadonlySet<string> => SYNONYMS.get(word) ?? new Set();

/** The words that have synonyms. */
export const wordsWithSynonyms = (): Iterable<string> => SYNONYMS.keys();
