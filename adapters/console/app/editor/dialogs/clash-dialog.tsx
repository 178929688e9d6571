/** What two people changed in the same draft, beside what both began with. Nothing is stored before it is chosen. */
import { useMemo, useState } from "react";
import { type Definition, definitionOf } from "../../../../../src/workflows/version.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import type { Side } from "../../merging/three-way.ts";
import { useTexts } from "../../texts/language.ts";
import { Lines } from "../../versions/lines.tsx";
import { readableJson } from "../../versions/readable-json.ts";
import { lineDifference } from "../../versions/text-lines.ts";
import type { Difference } from "../draft/merge.ts";
import { clashOf } from "../draft/merge-clash.ts";
import type { Saving } from "../saving/autosave.ts";
import "./clash-dialog.css";

interface ClashDialogProps {
  readonly clash: Saving & { readonly kind: "clash" };
  readonly mine: Definition;
  readonly onResolve: (definition: Definition) => void;
  readonly onClose: () => void;
}

export function ClashDialog({ clash, mine, onResolve, onClose }: ClashDialogProps) {
  const { editor: texts } = useTexts();
  const { found, first, merged } = useMemo(
    () => clashOf({ base: clash.base, mine, theirs: definitionOf(clash.theirs) }),
    [clash, mine],
  );
  const [choices, setChoices] = useState(first);
  const all = (side: Side) => setChoices(new Map(found.map(({ name }) => [name, side])));
  return (
    <Dialog
      title={texts.clashTitle}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.clashLater}</Button>
          <Button kind="primary" onClick={() => onResolve(merged(choices))}>
            {texts.clashSave}
          </Button>
        </>
      }
    >
      <p>{texts.clashText}</p>
      <div className="clash-all">
        <Button onClick={() => all("mine")}>{texts.clashAllMine}</Button>
        <Button onClick={() => all("theirs")}>{texts.clashAllTheirs}</Button>
      </div>
      {found.map((one) => (
        <ClashPart
          key={one.name}
          difference={one}
          side={choices.get(one.name) ?? "mine"}
          onChoose={(side) => setChoices(new Map(choices).set(one.name, side))}
        />
      ))}
    </Dialog>
  );
}

interface ClashPartProps {
  readonly difference: Difference;
  readonly side: Side;
  readonly onChoose: (side: Side) => void;
}

function ClashPart({ difference, side, onChoose }: ClashPartProps) {
  const { editor: texts } = useTexts();
  const { name, step, part, base, mine, theirs, changedBy } = difference;
  const title = step === null ? (part === null ? name : texts.clashPart[part]) : texts.clashStep(step);
  return (
    <fieldset className="clash-part">
      <legend>
        <bdi>{title}</bdi> <span className="soft">{texts.clashChangedBy[changedBy]}</span>
      </legend>
      <div className="clash-sides">
        <div>
          <p className="soft">{texts.clashBase}</p>
          <Shown value={base} />
        </div>
        {(["mine", "theirs"] as const).map((one) => (
          <label key={one} className={one === side ? "chosen" : undefined}>
            <span>
              <input type="radio" name={`clash ${name}`} checked={one === side} onChange={() => onChoose(one)} />{" "}
              {one === "mine" ? texts.clashMine : texts.clashTheirs}
            </span>
            <Against base={base} value={one === "mine" ? mine : theirs} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** With what differs from what both began with. */
function Against({ base, value }: { readonly base: unknown; readonly value: unknown }) {
  if (isNothing(base) || isNothing(value)) return <Shown value={value} />;
  const lines = lineDifference(readableJson(base), readableJson(value));
  return lines.some(({ kind }) => kind !== "equal") ? <Lines lines={lines} /> : <Shown value={value} />;
}

const isNothing = (value: unknown) => value === undefined || value === null;

function Shown({ value }: { readonly value: unknown }) {
  const { editor: texts } = useTexts();
  if (isNothing(value)) return <em>{texts.clashNothing}</em>;
  return <pre dir="ltr">{readableJson(value)}</pre>;
}
