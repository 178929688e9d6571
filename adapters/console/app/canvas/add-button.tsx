/** The "+" of an edge or of an open exit. For the pointer: the keyboard has `A`. */
import { useContext } from "react";
import { flushSync } from "react-dom";
import { Icon } from "../elements/icons.tsx";
import type { CanvasGraph } from "./canvas-graph.ts";
import { CanvasContext } from "./canvas-store.ts";
import type { NewPlace } from "./editing.ts";

interface AddButtonProps {
  readonly title: string;
  /** Where the new step comes. Keys and conditions may have been renamed since the button was drawn. */
  readonly placeIn: (graph: CanvasGraph) => NewPlace | null;
}

export function AddButton({ title, placeIn }: AddButtonProps) {
  const store = useContext(CanvasContext);
  return (
    <button
      type="button"
      className="add-step nodrag nopan"
      tabIndex={-1}
      aria-label={title}
      title={title}
      // A field that has the focus keeps it until the click: what it saves would draw another button here, and none is clicked.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        const { currentTarget } = event;
        flushSync(() => currentTarget.focus());
        const place = store === null ? null : placeIn(store.get().graph);
        if (place !== null) store?.get().editing?.onAdd(place);
      }}
    >
      <Icon name="plus" size={14} />
    </button>
  );
}
