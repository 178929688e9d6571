/**
 * What the server says of its services or trigger types, in a language. It stays in English where only a fresh page could
 * load the texts.
 */
import type { Language } from "../../../../src/web-pages/languages.ts";
import { loadPatiently } from "../loading/load-chunk.ts";
import type { BuiltInTexts } from "../texts/built-in-texts.ts";
import { loadBuiltInTexts } from "./load-texts.ts";

interface Loading {
  readonly language: Language;
  readonly signal: AbortSignal;
}

export async function loadTranslated<Info>(
  load: () => Promise<readonly Info[]>,
  translate: (info: Info, texts: BuiltInTexts) => Info,
  { language, signal }: Loading,
): Promise<readonly Info[]> {
  const [infos, texts] = await Promise.all([load(), loadPatiently(() => loadBuiltInTexts(language), signal)]);
  return texts === null ? infos : infos.map((info) => translate(info, texts));
}
