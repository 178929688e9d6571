/** What is known of the places of steps, edges and exits. */
import type { Bend } from "../../../../../src/definitions/diagram/layout.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedSteps {
  /** The upper left corners of steps, by their ids. */
  readonly points: ReadonlyMap<string, Point>;
  /** Where edges and exits pass layers, by their ids. Only between steps that stand where the layout puts them. */
  readonly bends: ReadonlyMap<string, readonly Bend[]>;
}

export interface Placement extends PlacedSteps {
  /** How far labels stand from the middle of their lines, by the ids of edges. Only where steps or other labels are there. */
  readonly labels: ReadonlyMap<string, Point>;
  /** Where the "+" of open exits stand, by their ids: their centers, from the upper left corners of their steps. */
  readonly exits: ReadonlyMap<string, Point>;
}
