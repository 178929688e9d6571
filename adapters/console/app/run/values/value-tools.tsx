/** Above a value: the shapes in which it can be shown, and what can be done with it. */
import { IconButton } from "../../elements/controls/button.tsx";
import { CopyButton } from "../../elements/controls/copy-button.tsx";
import { SwitchButtons } from "../../elements/controls/switch-buttons.tsx";
import { useTexts } from "../../texts/language.ts";
import type { Shape } from "./shapes.ts";
import "./values.css";

interface ValueToolsProps {
  readonly shapes: readonly Shape[];
  readonly shape: Shape | undefined;
  readonly onShape: (shape: Shape) => void;
  /** Expression that leads to the value. */
  readonly path: string | undefined;
  /** Returns the value as text. Absent for one that is cut. */
  readonly copied?: () => string;
  readonly isBusy?: boolean;
  readonly onDownload: () => void;
}

export function ValueTools({ shapes, shape, onShape, path, copied, isBusy = false, onDownload }: ValueToolsProps) {
  const { run: texts, general } = useTexts();
  return (
    <div className="value-tools">
      {shapes.length > 1 ? (
        <SwitchButtons
          label={texts.showAs}
          buttons={shapes.map((name) => ({ name, label: texts.shapes[name] }))}
          chosen={shape}
          isSmall
          onChoose={onShape}
        />
      ) : null}
      <span className="value-actions">
        {path === undefined ? null : (
          <span className="value-path">
            <code>{path}</code>
            <CopyButton text={path} label={texts.copyPath} icon="code" />
          </span>
        )}
        {copied === undefined ? null : <CopyButton text={copied} label={texts.copyValue} />}
        <IconButton icon="download" label={general.download} isBusy={isBusy} onClick={onDownload} />
      </span>
    </div>
  );
}
