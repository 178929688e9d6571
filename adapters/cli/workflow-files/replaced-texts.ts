/** Says what a deployment has replaced that others had changed, and where it is now. Pure. */
import type { Deployed } from "./deploy-file.ts";

export function replacedTexts({ file, name, replaced_version: before, kept_draft: path }: Deployed): string[] {
  const workflow = JSON.stringify(name);
  const replaced = `${file} replaced version ${before} of ${workflow}, which was deployed in the console or with another key.`;
  const kept = `The draft of ${workflow} had changes that were not deployed. ${file} replaced it.`;
  return [
    ...(before === undefined ? [] : [`${replaced} Version ${before} is kept: to use it again, roll back to it.`]),
    ...(path === undefined ? [] : [`${kept} The draft is kept in ${path}: to use it, copy it over ${file}.`]),
  ];
}
