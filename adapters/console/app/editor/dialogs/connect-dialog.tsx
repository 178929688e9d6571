/** Connects a step with another one, which is chosen from a list. */
import { useState } from "react";
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { useTexts } from "../../texts/language.ts";
import { type Connection, destinationsOf, NEXT, type Way, waysOf, withWrittenConnections } from "../draft/ways.ts";
import { ChoiceList } from "./choice-list.tsx";
import { WayField } from "./way-field.tsx";

interface ConnectDialogProps {
  readonly definition: Definition;
  readonly from: string;
  /** Null to choose it here. */
  readonly way: Way | null;
  readonly onConnect: (connection: Connection) => void;
  readonly onClose: () => void;
}

export function ConnectDialog({ definition, from, way: given, onConnect, onClose }: ConnectDialogProps) {
  const { editor: texts, canvas } = useTexts();
  const { steps } = withWrittenConnections(definition);
  const step = steps.find(({ key }) => key === from);
  const ways = step === undefined ? [NEXT] : waysOf(step);
  const [chosen, setChosen] = useState<Way>(given ?? firstWay(step, ways));
  const led = step === undefined ? [] : destinationsOf(step, chosen);
  const choices = steps
    .filter(({ key, type }) => key !== from && type !== "note" && !led.includes(key))
    .map(({ key, type }) => ({ id: key, label: key, icon: type, detail: canvas.types[type] }));
  return (
    <Dialog title={texts.connectTitle(from)} onClose={onClose}>
      <ChoiceList label={texts.connectTo} choices={choices} onChoose={(to) => onConnect({ from, to, way: chosen })}>
        {ways.length < 2 ? null : <WayField ways={ways} chosen={chosen} onChoose={setChosen} />}
      </ChoiceList>
    </Dialog>
  );
}

/** The first way that leads nowhere. */
function firstWay(step: Step | undefined, ways: readonly Way[]): Way {
  return ways.find((way) => step !== undefined && destinationsOf(step, way).length === 0) ?? ways[0] ?? NEXT;
}
