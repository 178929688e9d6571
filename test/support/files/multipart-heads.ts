/** Headers of parts, and file names in them, that browsers, programs and attackers send. */
import { accepted, DISPOSITION, form, joined, latin1, type MultipartCase, refused } from "./multipart-shape.ts";

/** Headers of parts. */
const headed = (head: string | Uint8Array) => form("hello", { head });
export const HEADS: readonly MultipartCase[] = [
  accepted("the type before the disposition", headed(`Content-Type: text/plain\r\n${DISPOSITION}`), "hello"),
  accepted(
    "header names in other cases",
    headed(`content-DISPOSITION: form-data; name="file"; filename="a.txt"\r\nCONTENT-type: text/plain`),
    "hello",
  ),
  accepted("no space behind the colon", headed('Content-Disposition:form-data;name="file";filename="a.txt"'), "hello"),
  accepted(
    "many spaces after the colon",
    headed('Content-Disposition:   \t form-data  ;  name = "file" ; filename = "a.txt" '),
    "hello",
  ),
  accepted("values without quotes", headed("Content-Disposition: form-data; name=file; filename=a.txt"), "hello"),
  accepted(
    "the file name before the name",
    headed('Content-Disposition: form-data; filename="a.txt"; name="file"'),
    "hello",
  ),
  accepted(
    "an unknown parameter",
    headed(`${DISPOSITION}; size=5; creation-date="Wed, 12 Feb 1997 16:29:51 -0500"`),
    "hello",
  ),
  accepted(
    "parameter names in other cases",
    headed('Content-Disposition: form-data; NAME="file"; FileName="a.txt"'),
    "hello",
  ),
  accepted("an empty type", headed(`${DISPOSITION}\r\nContent-Type: `), "hello"),
  accepted(
    "a type with a character set",
    headed(`${DISPOSITION}\r\nContent-Type: text/plain; charset=utf-16`),
    "hello",
  ),
  accepted(
    "a part with a multipart content type",
    headed(`${DISPOSITION}\r\nContent-Type: multipart/mixed; boundary=inner`),
    "hello",
  ),
  accepted(
    "unknown headers",
    headed(`X-Trace: 1\r\n${DISPOSITION}\r\nContent-Length: 999999\r\nContent-Encoding: gzip`),
    "hello",
  ),
  accepted(
    "headers named as Object.prototype members",
    headed(`__proto__: x\r\nconstructor: y\r\n${DISPOSITION}\r\ntoString: z`),
    "hello",
  ),
  accepted(
    "a header that continues on the next line",
    headed('Content-Disposition: form-data; name="file";\r\n filename="a.txt"'),
    "hello",
  ),
  accepted("a header that continues after a tab", headed(`${DISPOSITION}\r\nContent-Type:\r\n\ttext/plain`), "hello"),
  accepted("bytes as they are, and so named", headed(`${DISPOSITION}\r\nContent-Transfer-Encoding: Binary`), "hello"),
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
    "a content disposition other than form-data",
    headed('Content-Disposition: attachment; name="file"; filename="a.txt"'),
    /"attachment", not form-data/,
  ),
  refused("two dispositions", headed(`${DISPOSITION}\r\n${DISPOSITION}`), /more than one Content-Disposition/),
  refused(
    "two content dispositions, the first with another name",
    headed(`Content-Disposition: form-data; name="other"\r\n${DISPOSITION}`),
    /more than one Content-Disposition/,
  ),
  refused("a header without a colon", headed(`${DISPOSITION}\r\nnonsense`), /is not a valid part header/),
  refused("a header without a name", headed(`${DISPOSITION}\r\n: nonsense`), /is not a valid part header/),
  refused("a header whose name has a space", headed(`${DISPOSITION}\r\nX Trace: 1`), /is not a valid part header/),
  refused(
    "a space before the colon",
    headed('Content-Disposition : form-data; name="file"; filename="a.txt"'),
    /is not a valid part header/,
  ),
  refused("a null character in a header", headed(`${DISPOSITION}\r\nX-Trace: a\0b`), /is not a valid part header/),
  refused("a line feed alone in a header", headed(`${DISPOSITION}\nX-Trace: 1`), /is not a valid part header/),
  refused("a carriage return alone in a header", headed(`${DISPOSITION}\rX-Trace: 1`), /is not a valid part header/),
  refused(
    "a header of 20,000 characters",
    headed(`${DISPOSITION}\r\nX-Trace: ${"x".repeat(20_000)}`),
    /exceed 16384 bytes/,
  ),
  refused(
    "a header of a million characters",
    headed(`${DISPOSITION}\r\nX-Trace: ${"x".repeat(1_000_000)}`),
    /besides the file/,
  ),
  refused("two thousand headers", headed(`${DISPOSITION}${"\r\nX-Trace: 1".repeat(2_000)}`), /exceed 16384 bytes/),
];

/** File names. */
const named = (parameters: string | Uint8Array) =>
  form("hello", { head: joined('Content-Disposition: form-data; name="file"; ', parameters) });
export const NAMES: readonly MultipartCase[] = [
  accepted(
    "an empty file name, as browsers send when no file is chosen",
    form("", { head: `${DISPOSITION.replace("a.txt", "")}\r\nContent-Type: application/octet-stream` }),
    "",
    "file",
  ),
  accepted("a path", named('filename="/tmp/some/a.txt"'), "hello"),
  accepted("a path that is relative", named('filename="some/a.txt"'), "hello"),
  accepted("a path of Windows, as Internet Explorer sent it", named('filename="C:\\some\\a.txt"'), "hello"),
  accepted("a path of a Windows network", named('filename="\\\\server\\share\\a.txt"'), "hello"),
  accepted("a path that leads upwards", named('filename="../../../a.txt"'), "hello"),
  accepted(
    "letters beyond ASCII as they are",
    named('filename="Überblick 週報 🌧.txt"'),
    "hello",
    "Überblick 週報 🌧.txt",
  ),
  accepted("non-ASCII letters in filename*", named("filename*=utf-8''gr%C3%BC%C3%9Fe.txt"), "hello", "grüße.txt"),
  accepted("a language in that parameter", named("filename*=UTF-8'de'gr%C3%BC%C3%9Fe.txt"), "hello", "grüße.txt"),
  accepted(
    "filename* and filename, in this order",
    named("filename*=UTF-8''gr%C3%BC%C3%9Fe.txt; filename=\"name.txt\""),
    "hello",
    "grüße.txt",
  ),
  accepted(
    "filename* in another character set",
    named("filename*=ISO-8859-1''gr%FC%DFe.txt; filename=\"name.txt\""),
    "hello",
    "name.txt",
  ),
  accepted("that parameter damaged", named("filename*=UTF-8''gr%C3e.txt; filename=\"name.txt\""), "hello", "name.txt"),
  accepted("quotes, as browsers write them", named('filename="say %22hi%22.txt"'), "hello", 'say "hi".txt'),
  accepted("quotes, as curl writes them", named('filename="say \\"hi\\".txt"'), "hello", 'say "hi".txt'),
  accepted("a backslash, as curl writes it, which is a path of Windows", named('filename="some\\\\a.txt"'), "hello"),
  accepted(
    "percent signs that stand for themselves",
    named('filename="100%25 of 50%.txt"'),
    "hello",
    "100%25 of 50%.txt",
  ),
  accepted("signs that headers are made of", named('filename="a; b=c, d: e.txt"'), "hello", "a; b=c, d: e.txt"),
  accepted(
    "every character of a keyboard",
    named('filename="!#$&\'()*+,-.;<=>?@[]^_`{|}~ 2.txt"'),
    "hello",
    "!#$&'()*+,-.;<=>?@[]^_`{|}~ 2.txt",
  ),
  accepted(
    "letters as HTML entities, as old browsers send them",
    named('filename="&#8364;.txt"'),
    "hello",
    "&#8364;.txt",
  ),
  accepted("a line separator of Unicode", named('filename="a\u2028b.txt"'), "hello", "a\u2028b.txt"),
  accepted("a name of 8,000 letters", named(`filename="${"a".repeat(8_000)}.txt"`), "hello", `${"a".repeat(251)}.txt`),
  accepted(
    "letters in Latin-1, as old programs send them",
    named(latin1('filename="gr\xfc\xdfe.txt"')),
    "hello",
    "grüße.txt",
  ),
  refused("a null character", named('filename="a.txt\0.png"'), /is not a valid part header/),
];
