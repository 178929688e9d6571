/** Lists whose size a sender controls are never spread into arguments: engines accept some 100,000 and throw for more. */
import ts from "typescript";
import { expect, it } from "vitest";
import { nodesOf } from "../support/source-files.ts";

/** Spread arguments with a bounded length, each with its bound. */
const BOUNDED: Readonly<Record<string, string>> = {
  "call(define, json, large, ...seeds)": "a constant of ours",
  "context.callFunction(handle, context.undefined, ...args)": "the arguments of a function of ours, written one by one",
  "none.concat(...lists)": "a list for each 256 Ki characters of a result, whose length is limited",
  "columns.key.push(...others.key)": "LEAF_SIZES",
  "join(base, ...segments.map(nameOf))": "the segments of a storage key, which is of bounded length",
  'call("SET", prefixed(key), value, ...(exclusive ? ["NX"] : []))': "one or none",
  "String.fromCharCode(...bytes.subarray(at, at + CHARS_PER_CALL))": "CHARS_PER_CALL, chosen for this",
  "String.fromCodePoint(...points)": "CODE_POINTS_PER_CALL, chosen for this",
  "valueMark(...parsePath(path), value, hash)": "a pair",
  "valueMark(...parsePath(field), one, hash)": "a pair",
  "String.fromCharCode(...bytes.subarray(at, at + BYTES_PER_CALL))": "BYTES_PER_CALL, chosen for this",
  "context.log(...lines.map((line) => hide(String(line))))": "already the arguments of a call",
  "note.replaceChildren(...partly(TEXT.upload_partly_again, begun))": "a sentence of the upload page",
  'note.replaceChildren(...(typeof text === "string" ? [text] : text))': "a sentence of the upload page",
  "widenAmbiguousType(node, ...node.args)": "of a call node: its name and its list of arguments",
  "bytes(...DOWNLOAD_HEADERS)": "a constant of ours",
  'bytes(...DOWNLOAD_HEADERS, "Content-Range")': "a constant of ours",
  "list(...given.slice(0, count), query)": "the parameters of a path",
  'joined({ accept: "application/json" }, ...(isTrusted ? [shared, call.headers] : []), headers)': "two or none",
  "prepare(text) .all(...values)": "marks of one query, of which SQLite accepts 32,766",
  "prepare(text).get(...values)": "marks of one query, of which SQLite accepts 32,766",
  "written.push( ...(await segments.write( sorted.map((entry) => ({ ...entry, replaced: 0 })), NO_TURNS, )), )":
    "segments: one for up to 2,000 documents",
  "repaired.push(...(await segments.write(entries, NO_TURNS)))": "segments: one for up to 2,000 documents",
  "level.splice(at, 1, ...(await write(entries.slice(done))))": "segments: one for up to 2,000 documents",
  "level.splice(at, count, ...written)": "segments: one for up to 2,000 documents",
  "level.splice(at + 1, 0, ...(await write(mergeEntries([], entries))))": "segments: one for up to 2,000 documents",
  "level.push(...(await write(entries, turns)))": "segments: one for up to 2,000 documents",
  "Math.max(...blocks)": "blocks of a segment, of which there are about 128",
  "Math.min(...blocks)": "blocks of a segment, of which there are about 128",
  "members.push(...(isDescending(query) ? rows.toReversed() : rows))": "rows of one request, at most 1,000",
  "(await bytes()).content(...given)": "the parameters of the same function",
  "(await bytes()).create(...given)": "the parameters of the same function",
  "(await bytes()).receive(...given)": "the parameters of the same function",
  "appendChunk(upload, ...chunk)": "the parameters of the same function",
  "duplicate(...overrides)": "the parameters of the same function",
  "runHere(...refOf(subject))": "an app and a job",
  "setItem(...args)": "the parameters of the same function",
  "write(at, ...rest)": "the parameters of the same function",
  'call("EVAL", script, 2, prefixed(GENERATION), prefixed(key), generation, ...value)':
    "the parameters of the same function",
};

const spread = new Map<string, string>();
for (const { node, place } of nodesOf(["src", "adapters"])) {
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
  if (!isCall || !(node.arguments ?? []).some(ts.isSpreadElement)) continue;
  spread.set(node.getText().replace(/\s+/g, " "), place);
}

it("spreads only bounded lists into arguments", () => {
  expect([...spread].filter(([text]) => BOUNDED[text] === undefined)).toEqual([]);
});

it("lists only spreads that exist", () => {
  expect(Object.keys(BOUNDED).filter((text) => !spread.has(text))).toEqual([]);
});
