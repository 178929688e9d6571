/**
 * Multipart bodies that browsers, programs and attackers send, each with what has to become of it. The situations are
 * those that parsers in wide use are tested with; the bodies are our own.
 */

export interface MultipartCase {
  /** What the body is for. */
  readonly title: string;
  /** The Content-Type of the request. */
  readonly type: string;
  readonly body: Uint8Array;
  readonly expected: Taken | Refused;
}

export interface Taken {
  readonly name: string;
  readonly content: Uint8Array;
}

export interface Refused {
  /** What the message has to say. */
  readonly says: RegExp;
}

const BOUNDARY = "cut-here";
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const DISPOSITION = 'Content-Disposition: form-data; name="file"; filename="a.txt"';

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function joined(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? utf8(part) : part)]));
}

interface Shape {
  readonly boundary?: string;
  readonly head?: string | Uint8Array;
  readonly before?: string;
  readonly after?: string;
}

/** One part, well made but for what is given. */
function form(content: string | Uint8Array, shape: Shape = {}): Uint8Array {
  const { boundary = BOUNDARY, head = DISPOSITION, before = "", after = "\r\n" } = shape;
  return joined(before, `--${boundary}\r\n`, head, "\r\n\r\n", content, `\r\n--${boundary}--`, after);
}

function taken(
  title: string,
  body: Uint8Array,
  content: string | Uint8Array,
  name = "a.txt",
  type = FORM,
): MultipartCase {
  return { title, type, body, expected: { name, content: joined(content) } };
}

function refused(title: string, body: string | Uint8Array, says: RegExp, type = FORM): MultipartCase {
  return { title, type, body: joined(body), expected: { says } };
}

const ANY_BYTE = Uint8Array.from({ length: 256 }, (_, index) => index);
const FIREFOX = "---------------------------9051914041544843365972754266";
const WEBKIT = "----WebKitFormBoundaryq7VnGkRzP0sYb3Ld";
const PUNCTUATION = "'()+_,-./:=?x";

/** The frame: boundaries, and what stands before and behind. */
const FRAMES: readonly MultipartCase[] = [
  taken(
    "a boundary as Firefox makes it",
    form("hello", { boundary: FIREFOX }),
    "hello",
    "a.txt",
    `multipart/form-data; boundary=${FIREFOX}`,
  ),
  taken(
    "a boundary as Chrome and Safari make it",
    form("hello", { boundary: WEBKIT }),
    "hello",
    "a.txt",
    `multipart/form-data; boundary=${WEBKIT}`,
  ),
  taken(
    "a boundary of all the signs that may be in one",
    form("hello", { boundary: PUNCTUATION }),
    "hello",
    "a.txt",
    `multipart/form-data; boundary="${PUNCTUATION}"`,
  ),
  taken(
    "a boundary with a space inside",
    form("hello", { boundary: "cut here" }),
    "hello",
    "a.txt",
    'multipart/form-data; boundary="cut here"',
  ),
  taken(
    "a boundary that is only hyphens",
    form("hello", { boundary: "----" }),
    "hello",
    "a.txt",
    "multipart/form-data; boundary=----",
  ),
  taken(
    "a boundary that comes after other parameters",
    form("hello"),
    "hello",
    "a.txt",
    `multipart/form-data; charset=utf-8; x="boundary=no"; boundary=${BOUNDARY}`,
  ),
  taken(
    "a boundary parameter without a space before it, in capitals",
    form("hello"),
    "hello",
    "a.txt",
    `multipart/form-data;BOUNDARY=${BOUNDARY}`,
  ),
  taken("no line break behind the last boundary", form("hello", { after: "" }), "hello"),
  taken("an empty line before the first boundary", form("hello", { before: "\r\n" }), "hello"),
  taken("a preamble", form("hello", { before: "This is a message in several parts.\r\n" }), "hello"),
  taken("a preamble that nearly is a boundary", form("hello", { before: "--cut-her\r\n--cut\r\n\r\n" }), "hello"),
  taken("an epilogue", form("hello", { after: "\r\nThat was all.\r\n" }), "hello"),
  taken(
    "an epilogue that looks like another part",
    form("hello", { after: `\r\n--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nmore` }),
    "hello",
  ),
  taken(
    "spaces behind the boundaries, as gateways pad them",
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
  refused(
    "a boundary in another case than was announced",
    form("hello", { boundary: "CUT-HERE" }),
    /no part named "file"/,
  ),
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
    "a last boundary without its hyphens",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n--${BOUNDARY}\r\n`,
    /behind the file/,
  ),
  refused(
    "a last boundary with one hyphen",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n--${BOUNDARY}-\r\n`,
    /behind the file/,
  ),
  refused(
    "a last boundary in which letters are missing",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n--cut-her--\r\n`,
    /ends before its last boundary/,
  ),
  refused(
    "a last boundary that letters were added to",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n--${BOUNDARY}x--\r\n`,
    /behind the file/,
  ),
  refused("no boundary announced", form("hello"), /names no boundary/, "multipart/form-data"),
  refused("an empty boundary announced", form("hello"), /names no boundary/, 'multipart/form-data; boundary=""'),
  refused(
    "a boundary announced in another parameter",
    form("hello"),
    /names no boundary/,
    `multipart/form-data; x="; boundary=${BOUNDARY}"`,
  ),
  taken(
    "a boundary longer than RFC 2046 has it",
    form("hello", { boundary: "x".repeat(71) }),
    "hello",
    "a.txt",
    `multipart/form-data; boundary=${"x".repeat(71)}`,
  ),
  refused(
    "a boundary with a line break in it",
    form("hello"),
    /boundary/,
    'multipart/form-data; boundary="cut\\"here"',
  ),
];

/** The parts: only one is taken, and only under its name. */
const other = (name: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
const PARTS: readonly MultipartCase[] = [
  refused("fields and no file", `${other("title", "x")}${other("note", "y")}--${BOUNDARY}--`, /"title" is not taken/),
  refused("a field before the file", joined(other("title", "x"), form("hello")), /"title" is not taken/),
  refused(
    "a field behind the file",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\nhello\r\n${other("title", "x")}--${BOUNDARY}--`,
    /behind the file/,
  ),
  refused(
    "two files under one name",
    `--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\none\r\n--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\ntwo\r\n--${BOUNDARY}--`,
    /behind the file/,
  ),
  refused(
    "a file under another name",
    form("hello", { head: 'Content-Disposition: form-data; name="upload"; filename="a.txt"' }),
    /"upload" is not taken/,
  ),
  refused(
    "a file under the name in another case",
    form("hello", { head: 'Content-Disposition: form-data; name="FILE"; filename="a.txt"' }),
    /"FILE" is not taken/,
  ),
  refused(
    "a file under the name as PHP's lists have it",
    form("hello", { head: 'Content-Disposition: form-data; name="file[]"; filename="a.txt"' }),
    /"file\[\]" is not taken/,
  ),
  refused(
    "a file under a name that objects have",
    form("hello", { head: 'Content-Disposition: form-data; name="__proto__"; filename="a.txt"' }),
    /"__proto__" is not taken/,
  ),
  refused(
    "a file under an empty name",
    form("hello", { head: 'Content-Disposition: form-data; name=""; filename="a.txt"' }),
    /"" is not taken/,
  ),
  refused("10,000 fields", `${other("x", "").repeat(10_000)}--${BOUNDARY}--`, /"x" is not taken/),
  taken(
    "a field named file, without a file name",
    form("hello", { head: 'Content-Disposition: form-data; name="file"' }),
    "hello",
    "file",
  ),
];

/** The heads of parts. */
const headed = (head: string | Uint8Array) => form("hello", { head });
const HEADS: readonly MultipartCase[] = [
  taken("the type before the disposition", headed(`Content-Type: text/plain\r\n${DISPOSITION}`), "hello"),
  taken(
    "header names in other cases",
    headed(`content-DISPOSITION: form-data; name="file"; filename="a.txt"\r\nCONTENT-type: text/plain`),
    "hello",
  ),
  taken("no space behind the colon", headed('Content-Disposition:form-data;name="file";filename="a.txt"'), "hello"),
  taken(
    "many spaces behind the colon",
    headed('Content-Disposition:   \t form-data  ;  name = "file" ; filename = "a.txt" '),
    "hello",
  ),
  taken("values without quotes", headed("Content-Disposition: form-data; name=file; filename=a.txt"), "hello"),
  taken(
    "the file name before the name",
    headed('Content-Disposition: form-data; filename="a.txt"; name="file"'),
    "hello",
  ),
  taken(
    "a parameter that nobody knows",
    headed(`${DISPOSITION}; size=5; creation-date="Wed, 12 Feb 1997 16:29:51 -0500"`),
    "hello",
  ),
  taken(
    "parameter names in other cases",
    headed('Content-Disposition: form-data; NAME="file"; FileName="a.txt"'),
    "hello",
  ),
  taken("an empty type", headed(`${DISPOSITION}\r\nContent-Type: `), "hello"),
  taken("a type with a character set", headed(`${DISPOSITION}\r\nContent-Type: text/plain; charset=utf-16`), "hello"),
  taken(
    "a type that is a multipart of its own",
    headed(`${DISPOSITION}\r\nContent-Type: multipart/mixed; boundary=inner`),
    "hello",
  ),
  taken(
    "headers that nobody knows",
    headed(`X-Trace: 1\r\n${DISPOSITION}\r\nContent-Length: 999999\r\nContent-Encoding: gzip`),
    "hello",
  ),
  taken(
    "headers named like what objects have",
    headed(`__proto__: x\r\nconstructor: y\r\n${DISPOSITION}\r\ntoString: z`),
    "hello",
  ),
  taken(
    "a header that goes on in the next line",
    headed('Content-Disposition: form-data; name="file";\r\n filename="a.txt"'),
    "hello",
  ),
  taken("a header that goes on behind a tab", headed(`${DISPOSITION}\r\nContent-Type:\r\n\ttext/plain`), "hello"),
  taken("bytes as they are, and so named", headed(`${DISPOSITION}\r\nContent-Transfer-Encoding: Binary`), "hello"),
  refused("base64", headed(`${DISPOSITION}\r\nContent-Transfer-Encoding: base64`), /Content-Transfer-Encoding/),
  refused(
    "quoted-printable",
    headed(`${DISPOSITION}\r\ncontent-transfer-encoding: QUOTED-PRINTABLE`),
    /Content-Transfer-Encoding/,
  ),
  refused("a head without a disposition", headed("Content-Type: text/plain"), /no Content-Disposition/),
  refused("an empty disposition", headed("Content-Disposition: "), /"", not form-data/),
  refused("a disposition without a name", headed('Content-Disposition: form-data; filename="a.txt"'), /no name/),
  refused(
    "a disposition of another kind",
    headed('Content-Disposition: attachment; name="file"; filename="a.txt"'),
    /"attachment", not form-data/,
  ),
  refused("two dispositions", headed(`${DISPOSITION}\r\n${DISPOSITION}`), /more than one Content-Disposition/),
  refused(
    "two dispositions, of another name first",
    headed(`Content-Disposition: form-data; name="other"\r\n${DISPOSITION}`),
    /more than one Content-Disposition/,
  ),
  refused("a header without a colon", headed(`${DISPOSITION}\r\nnonsense`), /is no header of a part/),
  refused("a header without a name", headed(`${DISPOSITION}\r\n: nonsense`), /is no header of a part/),
  refused("a header whose name has a space", headed(`${DISPOSITION}\r\nX Trace: 1`), /is no header of a part/),
  refused(
    "a space before the colon",
    headed('Content-Disposition : form-data; name="file"; filename="a.txt"'),
    /is no header of a part/,
  ),
  refused("a null character in a header", headed(`${DISPOSITION}\r\nX-Trace: a\0b`), /is no header of a part/),
  refused("a line feed alone in a header", headed(`${DISPOSITION}\nX-Trace: 1`), /is no header of a part/),
  refused("a carriage return alone in a header", headed(`${DISPOSITION}\rX-Trace: 1`), /is no header of a part/),
  refused(
    "a header of 20,000 characters",
    headed(`${DISPOSITION}\r\nX-Trace: ${"x".repeat(20_000)}`),
    /more than 16384 bytes/,
  ),
  refused(
    "a header of a million characters",
    headed(`${DISPOSITION}\r\nX-Trace: ${"x".repeat(1_000_000)}`),
    /besides the file/,
  ),
  refused("two thousand headers", headed(`${DISPOSITION}${"\r\nX-Trace: 1".repeat(2_000)}`), /more than 16384 bytes/),
];

/** Names of files. */
const named = (parameters: string | Uint8Array) =>
  form("hello", { head: joined('Content-Disposition: form-data; name="file"; ', parameters) });
const NAMES: readonly MultipartCase[] = [
  taken(
    "an empty file name, as browsers send for no choice",
    form("", { head: `${DISPOSITION.replace("a.txt", "")}\r\nContent-Type: application/octet-stream` }),
    "",
    "file",
  ),
  taken("a path", named('filename="/tmp/some/a.txt"'), "hello"),
  taken("a path that is relative", named('filename="some/a.txt"'), "hello"),
  taken("a path of Windows, as Internet Explorer sent it", named('filename="C:\\some\\a.txt"'), "hello"),
  taken("a path of a Windows network", named('filename="\\\\server\\share\\a.txt"'), "hello"),
  taken("a path that leads upwards", named('filename="../../../a.txt"'), "hello"),
  taken("letters beyond ASCII as they are", named('filename="テスト-ñ-☃.txt"'), "hello", "テスト-ñ-☃.txt"),
  taken("letters beyond ASCII in their own parameter", named("filename*=utf-8''n%C3%A4me.txt"), "hello", "näme.txt"),
  taken("a language in that parameter", named("filename*=UTF-8'de'n%C3%A4me.txt"), "hello", "näme.txt"),
  taken(
    "both parameters, the plain one last",
    named("filename*=UTF-8''n%C3%A4me.txt; filename=\"name.txt\""),
    "hello",
    "näme.txt",
  ),
  taken(
    "that parameter in another character set",
    named("filename*=ISO-8859-1''n%E4me.txt; filename=\"name.txt\""),
    "hello",
    "name.txt",
  ),
  taken("that parameter damaged", named("filename*=UTF-8''n%C3me.txt; filename=\"name.txt\""), "hello", "name.txt"),
  taken("quotes, as browsers write them", named('filename="say %22hi%22.txt"'), "hello", 'say "hi".txt'),
  taken("quotes, as curl writes them", named('filename="say \\"hi\\".txt"'), "hello", 'say "hi".txt'),
  taken("a backslash, as curl writes it, which is a path of Windows", named('filename="some\\\\a.txt"'), "hello"),
  taken("percent signs that stand for themselves", named('filename="100%25 of 50%.txt"'), "hello", "100%25 of 50%.txt"),
  taken("signs that headers are made of", named('filename="a; b=c, d: e.txt"'), "hello", "a; b=c, d: e.txt"),
  taken(
    "every sign of a keyboard",
    named('filename=" ? * | < > . ; \' @ # $ ^ & ( ) - _ = + { } [ ] ` ~.txt"'),
    "hello",
    "? * | < > . ; ' @ # $ ^ & ( ) - _ = + { } [ ] ` ~.txt",
  ),
  taken(
    "letters as entities of HTML, as old browsers send them",
    named('filename="&#9731;.txt"'),
    "hello",
    "&#9731;.txt",
  ),
  taken("a line separator of Unicode", named('filename="a\u2028b.txt"'), "hello", "a\u2028b.txt"),
  taken("a name of 8,000 letters", named(`filename="${"a".repeat(8_000)}.txt"`), "hello", "a".repeat(255)),
  taken(
    "letters in Latin-1, as programs of long ago send them",
    named(latin1('filename="n\xe4me.txt"')),
    "hello",
    "näme.txt",
  ),
  refused("a null character", named('filename="a.txt\0.png"'), /is no header of a part/),
];

/** Contents. */
const CONTENTS: readonly MultipartCase[] = [
  taken(
    "no byte and no line break, which RFC 2046 allows",
    joined(`--${BOUNDARY}\r\n${DISPOSITION}\r\n\r\n--${BOUNDARY}--`),
    "",
  ),
  taken("no byte", form(""), ""),
  taken("every byte", form(ANY_BYTE), ANY_BYTE),
  taken("a line break at the beginning", form("\r\nhello"), "\r\nhello"),
  taken("a line break at the end", form("hello\r\n"), "hello\r\n"),
  taken("a carriage return at the end", form("hello\r"), "hello\r"),
  taken("a line feed at the end", form("hello\n"), "hello\n"),
  taken("only line breaks", form("\r\n\r\n\r\n"), "\r\n\r\n\r\n"),
  taken("an empty line, as behind a head", form("X: y\r\n\r\nhello"), "X: y\r\n\r\nhello"),
  taken("many carriage returns", form("\r".repeat(1_000)), "\r".repeat(1_000)),
  taken("hyphens", form("--"), "--"),
  taken("the boundary within a line", form(`{"boundary":"--${BOUNDARY}--"}`), `{"boundary":"--${BOUNDARY}--"}`),
  taken("the boundary in a line of its own, behind a line feed", form(`x\n--${BOUNDARY}\n`), `x\n--${BOUNDARY}\n`),
  taken("the boundary at the beginning of the content", form(`-${BOUNDARY}`), `-${BOUNDARY}`),
  taken("the boundary without its last letter", form("x\r\n--cut-her\r\n--cut-her--"), "x\r\n--cut-her\r\n--cut-her--"),
  taken("the boundary in another case", form("x\r\n--Cut-Here\r\n"), "x\r\n--Cut-Here\r\n"),
  taken("every beginning of the boundary", form(starts()), starts()),
  taken("a multipart of its own", form(form("inner", { boundary: "inner" })), form("inner", { boundary: "inner" })),
  taken("more than a chunk of the storage", form("0123456789".repeat(50)), "0123456789".repeat(50)),
  refused("a line that begins with the boundary and goes on", form(`x\r\n--${BOUNDARY}x\r\n`), /behind the file/),
  refused("the boundary where the content begins", form(`--${BOUNDARY}\r\nx`), /behind the file/),
];

function starts(): string {
  const delimiter = `\r\n--${BOUNDARY}`;
  return Array.from({ length: delimiter.length - 1 }, (_, index) => delimiter.slice(0, index + 1)).join("");
}

export const MULTIPART_CASES: readonly MultipartCase[] = [...FRAMES, ...PARTS, ...HEADS, ...NAMES, ...CONTENTS];
