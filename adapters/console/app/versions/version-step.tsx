/** A step of a version, beside it: only to be read. */
import type { Step } from "../../../../src/workflows/step.ts";
import type { Version } from "../../../../src/workflows/version.ts";
import { StepConnections } from "../editor/panel/step-connections.tsx";
import { IconButton } from "../elements/controls/button.tsx";
import { Icon } from "../elements/icons.tsx";
import { ShownSettings } from "../steps/shown-settings.tsx";
import { useTexts } from "../texts/language.ts";
import "../editor/panel/step-panel.css";

interface VersionStepProps {
  readonly version: Version;
  readonly step: Step;
  readonly onChoose: (key: string) => void;
  readonly onClose: () => void;
}

export function VersionStep({ version, step, onChoose, onClose }: VersionStepProps) {
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
      <ShownSettings key={step.key} step={step} />
      <StepConnections definition={version} step={step} onReach={onChoose} actions={null} />
    </aside>
  );
}
