/**
 * Loads packages that only one format needs. Bundlers accept that a package is missing if its import is in `try`.
 */
import { ExtractError } from "../../src/ports/extractor.ts";
import { packageProblem } from "../package-problem.ts";

/** @throws ExtractError `not_installed` */
export async function importUnpdf(): Promise<typeof import("unpdf")> {
  try {
    return await import("unpdf");
  } catch (cause) {
    throw notInstalled("unpdf", cause);
  }
}

/** @throws ExtractError `not_installed` */
export async function importMammoth(): Promise<typeof import("mammoth")> {
  try {
    return (await import("mammoth")).default;
  } catch (cause) {
    throw notInstalled("mammoth", cause);
  }
}

function notInstalled(name: string, cause: unknown): ExtractError {
  return new ExtractError("not_installed", packageProblem("reading this type", name, cause), { cause });
}
