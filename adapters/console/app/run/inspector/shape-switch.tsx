/** Switches between the shapes in which a value can be shown. */
import { useTexts } from "../../texts/language.ts";
import type { Shape } from "./shapes.ts";

interface ShapeSwitchProps {
  readonly shapes: readonly Shape[];
  readonly shape: Shape | undefined;
  readonly onChange: (shape: Shape) => void;
}

export function ShapeSwitch({ shapes, shape, onChange }: ShapeSwitchProps) {
  const { run: texts } = useTexts();
  return (
    <div role="group" aria-label={texts.showAs} className="run-switch small">
      {shapes.map((one) => (
        <button key={one} type="button" aria-pressed={one === shape} onClick={() => onChange(one)}>
          {texts.shapes[one]}
        </button>
      ))}
    </div>
  );
}
