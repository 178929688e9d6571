/** How the draft stands to what is deployed, beside its name. */
import { useTexts } from "../texts/language.ts";
import type { DraftChanges } from "./use-changes.ts";

export function DraftSign({ changes }: { readonly changes: DraftChanges }) {
  const { editor: texts } = useTexts();
  if (changes.kind === "unknown") return null;
  if (changes.kind === "never-deployed") return <span className="draft-sign">{texts.neverDeployed}</span>;
  const { version, count } = changes;
  return (
    <span className={count === 0 ? "draft-sign" : "draft-sign changed"}>
      {count === 0 ? texts.deployedAs(version) : texts.changedSince(count, version)}
    </span>
  );
}
