/** What an editor does with a canvas. Without it, a canvas only shows. */
import type { CanvasEdge, Port } from "./canvas-graph.ts";
import type { Point } from "./placing/placement.ts";

/** Where a new step comes. */
export type NewPlace =
  /** Behind a step, from one of its ports: without one, from that which suits it. */
  | { readonly after: string; readonly port?: Port }
  /** Between the two steps of an edge. */
  | { readonly edge: CanvasEdge }
  /** Where the pointer is, with nothing before it. */
  | { readonly at: Point };

/** `[left, top]` */
type Corner = readonly [number, number];

/** Upper left corners, by the ids of steps. */
export type Corners = ReadonlyMap<string, Corner>;

export interface StepBox {
  readonly corner: Corner;
  /** `[width, height]` */
  readonly size: readonly [number, number];
}

export interface CanvasEditing {
  /**
   * Steps were moved: new upper left corners, by the ids of steps. Called once, when they are dropped.
   * @param others Where the layout has put the steps without a position of their own. They stay there.
   */
  readonly onMove: (moved: Corners, others: Corners) => void;
  /**
   * A step has got another size, by one of its sides or corners. Called once, when it is dropped.
   * @param others As for `onMove`.
   */
  readonly onResize: (step: string, box: StepBox, others: Corners) => void;
  /** An edge was drawn. */
  readonly onConnect: (from: string, port: Port, to: string) => void;
  /** Steps and edges are to be removed. */
  readonly onDelete: (steps: readonly string[], edges: readonly CanvasEdge[]) => void;
  /** A step is to be added: `A`, a "+" on an edge or behind a step, or an edge that was drawn to nowhere. */
  readonly onAdd: (place: NewPlace) => void;
  /** `C`: an edge from the step is to be made by choosing its end. */
  readonly onConnectTo?: (step: string) => void;
  /** `F2` */
  readonly onRename?: (step: string) => void;
  /** `/` */
  readonly onFind?: () => void;
  /** The steps that are selected together, such as with Shift and the pointer. */
  readonly onSelection?: (steps: readonly string[]) => void;
  /** Whether single letters act, as the settings say. @default true */
  readonly hasLetters?: boolean;
}
