/** A step of a version, beside it: only to be read. */
import type { Step } from "../../../../src/workflows/step.ts";
import { StepJson } from "../editor/panel/step-json.tsx";
import { IconButton } from "../elements/controls/button.tsx";
import { Icon } from "../elements/icons.tsx";
import { useTexts } from "../texts/language.ts";
import "../editor/panel/step-panel.css";

export function VersionStep({ step, onClose }: { readonly step: Step; readonly onClose: () => void }) {
  const { editor: texts, canvas } = useTexts();
  return (
    <aside className="step-panel" aria-label={texts.panel(step.key)}>
      <header>
        <Icon name={step.type} />
        <h2>
          <bdi>{step.key}</bdi>
        </h2>
        <span className="type">{canvas.types[step.type]}</span>
        <IconButton icon="close" label={texts.closePanel} onClick={onClose} />
      </header>
      <StepJson key={step.key} step={step} />
    </aside>
  );
}
