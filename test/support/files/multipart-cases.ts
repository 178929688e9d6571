/**
 * Multipart bodies that browsers, programs and attackers send, each with the expected result. The cases are those that
 * popular parsers are tested with.
 */
import { HEADS, NAMES } from "./multipart-heads.ts";
import { accepted, BOUNDARY, DISPOSITION, form, joined, type MultipartCase, refused } from "./multipart-shape.ts";

const ANY_BYTE = Uint8Array.from({ length: 256 }, (_, index) => index);
const FIREFOX = "-----------------------------40872716312098345512746019833";
const WEBKIT = "----WebKitFormBoundaryq7VnGkRzP0sYb3Ld";
const PUNCTUATION = "'()+_,-./:=?x";

/** Boundaries, preamble and epilogue. */
const FRAMES: readonly MultipartCase[] = [
  accepted(
    "a boundary as Firefox creates it",
    form("hello", { boundary: FIREFOX }),
    "hello",
    "a.txt",
    `multipart/form-data; boundary=${FIREFOX}`,
  ),
  accepted(
    "a boundary as Chrome and Safari create it",
    form("hello", { boundary: WEBKIT }),
    "hello",
    "a.txt",
    `multipart/form-data; boundary=${WEBKIT}`,
  ),
  accepted(
    "a boundary with all allowed characters",
    form("hello", { boundary: PUNCTUATION }),
    "hello",
    "a.txt",
    `multipart/form-data; boundary="${PUNCTUATION}"`,
  ),
  accepted(
    "a boundary with a space inside",
    form("hello", { boundary: "cut here" }),
    "hello",
    "a.txt",
    'multipart/form-data; boundary="cut here"',
  ),
  accepted(
    "a boundary of hyphens only",
    form("hello", { boundary: "----" }),
    "hello",
    "a.txt",
    "multipart/form-data; boundary=----",
  ),
  accepted(
    "a boundary after other parameters",
    form("hello"),
    "hello",
    "a.txt",
    `multipart/form-data; charset=utf-8; x="boundary=no"; boundary=${BOUNDARY}`,
  ),
  accepted(
    "an upper-case boundary parameter without a space before it",
    form("hello"),
    "hello",
    "a.txt",
    `multipart/form-data;BOUNDARY=${BOUNDARY}`,
  ),
  accepted("no line break behind the last boundary", form("hello", { after: "" }), "hello"),
  accepted("an empty line before the first boundary", form("hello", { before: "\r\n" }), "hello"),
  accepted("a preamble", form("hello", { before: "This is a message in several parts.\r\n" }), "hello"),
  accepted("a preamble that nearly is a boundary", form("hello", { before: "--cut-her\r\n--cut\r\n\r\n" }), "hello"),
  accepted("an epilogue", form("hello", { after: "\r\nThat was all.\r\n" }), "hello"),
  accepted(
    "an epilogue that looks like another part",
    form("hello", { after: `\r\n--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nmore` }),
    "hello",
  ),
  accepted(
    "spaces after the boundaries, as gateways pad them",
    joined(`--${BOUNDARY} \t\r\n${DISPOSITION}\r\n\r\nhello\r\n--${BOUNDARY}--  \r\n`),
    "hello",
  ),
  refused("nothing at all", "", /no part named "file"/),
  refused("only the last boundary", `--${BOUNDARY}--`, /without a part/),
  refused("only a line break and the last boundary", `\r\n--${BOUNDARY}--\r\n`, /without a part/),
  refused("a part without head and content", `--${BOUNDARY}\r\n--${BOUNDARY}--\r\n`, /no part named "file"/),
  refused("a part without a head", `--${BOUNDARY}\r\n\r\nhello\r\n--${BOUNDARY}--\r\n`, /no Content-Disposition/),
  refused("only a preamble", "This is a message in several parts.\r\n", /no part named "file"/),
  refused("a first boundary that does not begin a line", form("hello", { before: "x" }), /without a part/),
  refused("another boundary than was announced", form("hello", { boundary: "other" }), /no part named "file"/),
  refused("a boundary in another case than declared", form("hello", { boundary: "CUT-HERE" }), /no part named "file"/),
  refused(
    "line feeds without carriage returns",
    joined(`--${BOUNDARY}\n${DISPOSITION}\n\nhello\n--${BOUNDARY}--\n`),
    /line break/,
  ),
  refused(
    "carriage returns without line feeds",
    joined(`--${BOUNDARY}\r${DISPOSITION}\r\rhello\r--${BOUNDARY}--\r`),
    /line break/,
  ),
  refused("the end right behind the head", `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\n`, /ends before its last boundary/),
  refused("the end within the content", `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhel`, /ends before its last boundary/),
  refused("the end within the head", `--${BOUNDARY}\r\nContent-Dispo`, /no part named "file"/),
  refused("the end within the first boundary", "--cut-h", /no part named "file"/),
  refused(
    "a closing boundary without its hyphens",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n--${BOUNDARY}\r\n`,
    /continues after the part "file"/,
  ),
  refused(
    "a closing boundary with one hyphen",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n--${BOUNDARY}-\r\n`,
    /continues after the part "file"/,
  ),
  refused(
    "a closing boundary with missing letters",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n--cut-her--\r\n`,
    /ends before its last boundary/,
  ),
  refused(
    "a closing boundary with extra letters",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n--${BOUNDARY}x--\r\n`,
    /continues after the part "file"/,
  ),
  refused("no boundary announced", form("hello"), /names no boundary/, "multipart/form-data"),
  refused("an empty boundary announced", form("hello"), /names no boundary/, 'multipart/form-data; boundary=""'),
  refused(
    "a boundary in another parameter",
    form("hello"),
    /names no boundary/,
    `multipart/form-data; x="; boundary=${BOUNDARY}"`,
  ),
  accepted(
    "a boundary longer than RFC 2046 allows",
    form("hello", { boundary: "x".repeat(71) }),
    "hello",
    "a.txt",
    `multipart/form-data; boundary=${"x".repeat(71)}`,
  ),
  refused("a boundary with a line break", form("hello"), /boundary/, 'multipart/form-data; boundary="cut\\"here"'),
];

/** Parts: only one file is accepted, and only under its name. */
const other = (name: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
const PARTS: readonly MultipartCase[] = [
  refused(
    "fields without a file",
    `${other("title", "x")}${other("note", "y")}--${BOUNDARY}--`,
    /named "title", but only one part named "file" is accepted/,
  ),
  refused(
    "a field before the file",
    joined(other("title", "x"), form("hello")),
    /named "title", but only one part named "file" is accepted/,
  ),
  refused(
    "a field after the file",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n${other("title", "x")}--${BOUNDARY}--`,
    /continues after the part "file"/,
  ),
  refused(
    "two files with one name",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\none\r\n--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\ntwo\r\n--${BOUNDARY}--`,
    /continues after the part "file"/,
  ),
  refused(
    "a file in a field with another name",
    form("hello", { head: 'Content-Disposition: form-data; name="upload"; filename="a.txt"' }),
    /named "upload", but only one part named "file" is accepted/,
  ),
  refused(
    "a file in a field whose name differs by case",
    form("hello", { head: 'Content-Disposition: form-data; name="FILE"; filename="a.txt"' }),
    /named "FILE", but only one part named "file" is accepted/,
  ),
  refused(
    "a file in a field named as a PHP array",
    form("hello", { head: 'Content-Disposition: form-data; name="file[]"; filename="a.txt"' }),
    /named "file\[\]", but only one part named "file" is accepted/,
  ),
  refused(
    "a file in a field named as an Object.prototype member",
    form("hello", { head: 'Content-Disposition: form-data; name="__proto__"; filename="a.txt"' }),
    /named "__proto__", but only one part named "file" is accepted/,
  ),
  refused(
    "a file in a field with an empty name",
    form("hello", { head: 'Content-Disposition: form-data; name=""; filename="a.txt"' }),
    /named "", but only one part named "file" is accepted/,
  ),
  refused(
    "10,000 fields",
    `${other("x", "").repeat(10_000)}--${BOUNDARY}--`,
    /named "x", but only one part named "file" is accepted/,
  ),
  accepted(
    "a field named file, without a file name",
    form("hello", { head: 'Content-Disposition: form-data; name="file"' }),
    "hello",
    "file",
  ),
];

/** Contents. */
const CONTENTS: readonly MultipartCase[] = [
  accepted(
    "no content and no line break, which RFC 2046 allows",
    joined(`--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\n--${BOUNDARY}--`),
    "",
  ),
  accepted("no byte", form(""), ""),
  accepted("every byte", form(ANY_BYTE), ANY_BYTE),
  accepted("a line break at the beginning", form("\r\nhello"), "\r\nhello"),
  accepted("a line break at the end", form("hello\r\n"), "hello\r\n"),
  accepted("a carriage return at the end", form("hello\r"), "hello\r"),
  accepted("a line feed at the end", form("hello\n"), "hello\n"),
  accepted("only line breaks", form("\r\n\r\n\r\n"), "\r\n\r\n\r\n"),
  accepted("an empty line, as behind a head", form("X: y\r\n\r\nhello"), "X: y\r\n\r\nhello"),
  accepted("many carriage returns", form("\r".repeat(1_000)), "\r".repeat(1_000)),
  accepted("hyphens", form("--"), "--"),
  accepted("the boundary within a line", form(`{"boundary":"--${BOUNDARY}--"}`), `{"boundary":"--${BOUNDARY}--"}`),
  accepted("the boundary in a line of its own, behind a line feed", form(`x\n--${BOUNDARY}\n`), `x\n--${BOUNDARY}\n`),
  accepted("the boundary at the beginning of the content", form(`-${BOUNDARY}`), `-${BOUNDARY}`),
  accepted(
    "the boundary without its last letter",
    form("x\r\n--cut-her\r\n--cut-her--"),
    "x\r\n--cut-her\r\n--cut-her--",
  ),
  accepted("the boundary in another case", form("x\r\n--Cut-Here\r\n"), "x\r\n--Cut-Here\r\n"),
  accepted("every beginning of the boundary", form(starts()), starts()),
  accepted("a multipart of its own", form(form("inner", { boundary: "inner" })), form("inner", { boundary: "inner" })),
  accepted("more than a chunk of the storage", form("0123456789".repeat(50)), "0123456789".repeat(50)),
  refused(
    "a line that begins with the boundary and continues",
    form(`x\r\n--${BOUNDARY}x\r\n`),
    /continues after the part "file"/,
  ),
  refused("the boundary where the content begins", form(`--${BOUNDARY}\r\nx`), /continues after the part "file"/),
];

function starts(): string {
  const delimiter = `\r\n--${BOUNDARY}`;
  return Array.from({ length: delimiter.length - 1 }, (_, index) => delimiter.slice(0, index + 1)).join("");
}

export const MULTIPART_CASES: readonly MultipartCase[] = [...FRAMES, ...PARTS, ...HEADS, ...NAMES, ...CONTENTS];
