/** How the draft stands to what is deployed, beside its name. */
import type { Definition } from "../../../../src/workflows/version.ts";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { useTexts } from "../texts/language.ts";
import { useDraftChanges } from "./use-changes.ts";

interface DraftSignProps {
  readonly workflow: Workflow;
  readonly definition: Definition;
}

export function DraftSign({ workflow, definition }: DraftSignProps) {
  const { editor: texts } = useTexts();
  const changes = useDraftChanges(workflow, definition);
  if (changes.kind === "unknown") return null;
  if (changes.kind === "never-deployed") return <span className="draft-sign">{texts.neverDeployed}</span>;
  const { version, count } = changes;
  return (
    <span className={count === 0 ? "draft-sign" : "draft-sign changed"}>
      {count === 0 ? texts.deployedAs(version) : texts.changedSince(count, version)}
    </span>
  );
}
