/** Loads a package that only one format needs. */
import { ExtractError } from "../../src/ports/extractor.ts";

/** @throws ExtractError `not_installed` */
export async function importOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const message = `reading this type needs the package "${name}": npm install ${name}`;
    throw new ExtractError("not_installed", message, { cause });
  }
}
