/** Finds a step by its key, its type, or any text in it. */
import { isRecord } from "../../../../../src/json.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { useTexts } from "../../texts/language.ts";
import { ChoiceList } from "./choice-list.tsx";

interface FindStepDialogProps {
  readonly definition: Definition;
  readonly onChoose: (step: string) => void;
  readonly onClose: () => void;
}

export function FindStepDialog({ definition, onChoose, onClose }: FindStepDialogProps) {
  const { editor: texts, canvas } = useTexts();
  const choices = definition.steps.map((step) => ({
    id: step.key,
    label: step.key,
    icon: step.type,
    detail: [canvas.types[step.type], ...textsOf(step)].join(" · "),
  }));
  return (
    <Dialog title={texts.findTitle} onClose={onClose}>
      <ChoiceList label={texts.findLabel} choices={choices} onChoose={onChoose} />
    </Dialog>
  );
}

/** The texts in a step, on one line. */
function textsOf(value: unknown, name?: string): readonly string[] {
  if (typeof value === "string") return name === "type" || name === "key" ? [] : [value.replace(/\s+/g, " ")];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one));
  return isRecord(value) ? Object.entries(value).flatMap(([key, one]) => textsOf(one, key)) : [];
}
