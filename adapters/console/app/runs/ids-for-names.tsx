/** Says once for a screen why its workflows have ids in place of names. */
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";

export function IdsForNames() {
  const { runs, general } = useTexts();
  if (useMay("workflows:read")) return null;
  return <p className="hint">{`${runs.idsForNames} ${general.needsScope("workflows:read")}`}</p>;
}
