/** Reads XML parts of a document as a stream of events, with constant memory and without entities defined in a DTD. */
import { Parser } from "htmlparser2";
import { ExtractError } from "../../src/ports/extractor.ts";
import type { Archive } from "./archive.ts";

export type Attributes = Readonly<Record<string, string>>;

/** Names have no namespace prefix, because producers choose different ones. */
export interface XmlEvents {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Maximum nesting depth. Real documents have a few dozen levels. */
const MAX_DEPTH = 2000;

/** @throws ExtractError `damaged` */
export async function readXml(archive: Archive, part: string, events: XmlEvents): Promise<void> {
  let depth = 0;
  let hasRoot = false;
  let isAtEnd = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        hasRoot = true;
        archive.spend(1);
        if (++depth > MAX_DEPTH) throw damaged(part, `is nested deeper than ${MAX_DEPTH} levels`);
        events.open?.(local(name), attributes);
      },
      ontext: (text) => events.text?.(text),
      onclosetag(name) {
        depth--;
        if (isAtEnd) throw damaged(part, `ends within <${name}>`);
        events.close?.(local(name));
      },
      onprocessinginstruction(name) {
        // Office Open XML (ECMA-376 part 2, 8.1.4) and OpenDocument don't use DTDs.
        if (name.toLowerCase() === "!doctype") throw damaged(part, "has a document type declaration");
      },
    },
    { xmlMode: true, recognizeSelfClosing: true },
  );
  let decoder: TextDecoder | undefined;
  await archive.read(part, (bytes) => {
    decoder ??= new TextDecoder(encodingOf(bytes));
    parser.write(decoder.decode(bytes, { stream: true }));
  });
  parser.write(decoder?.decode() ?? "");
  isAtEnd = true;
  parser.end();
  if (!hasRoot) throw damaged(part, "is not XML");
}

/** Returns the value of an attribute, ignoring its namespace prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  const plain = attributes[name];
  if (plain !== undefined) return plain;
  for (const key in attributes) if (key.endsWith(`:${name}`)) return attributes[key];
  return undefined;
}

/** Returns the value of an attribute with a prefix, when one without a prefix has the same name. */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  for (const key in attributes) if (key.endsWith(`:${name}`)) return attributes[key];
  return undefined;
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function damaged(part: string, reason: string): ExtractError {
  return new ExtractError("damaged", `its part ${JSON.stringify(part)} ${reason}`);
}
