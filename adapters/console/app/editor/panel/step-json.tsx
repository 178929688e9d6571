/** One step as JSON, for those who may not change it. */
import type { Step } from "../../../../../src/workflows/step.ts";
import { CodeEditor } from "../../code-editor/code-editor.tsx";
import { useTexts } from "../../texts/language.ts";

const keep = () => {};

export function StepJson({ step }: { readonly step: Step }) {
  const { editor: texts } = useTexts();
  return (
    <CodeEditor
      language="json"
      label={texts.stepJsonLabel(step.key)}
      value={JSON.stringify(step, null, 2)}
      isReadOnly
      onChange={keep}
    />
  );
}
