/** What one can do to the steps of a draft. Pure: each function returns another definition, or the same if nothing changes. */
import type { JsonValue } from "../../../../../src/json.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import {
  type Connection,
  connectionsOf,
  destinationsOf,
  isChain,
  isSameWay,
  mapDestinations,
  NEXT,
  type Way,
  wayBehind,
  withDestinations,
  withWrittenConnections,
} from "./ways.ts";

/** `[left, top]` on the canvas. */
export type Position = readonly [number, number];
/** `[width, height]` on the canvas. */
export type Size = readonly [number, number];
/** By the keys of steps. */
export type Positions = ReadonlyMap<string, Position>;

/** Where a new step goes. */
export type Target =
  /** After all others, connected with nothing unless the steps are a chain. */
  | { readonly kind: "end" }
  /** Between a step and what it leads to by a way: without one, by that of `wayBehind`. */
  | { readonly kind: "behind"; readonly key: string; readonly way?: Way }
  /** Beside what a step leads to by a way. */
  | { readonly kind: "from"; readonly key: string; readonly way: Way }
  /** Between a step and what leads to it. */
  | { readonly kind: "before"; readonly key: string }
  | ({ readonly kind: "on" } & Connection);

const END: Target = { kind: "end" };

export const stepOf = ({ steps }: Definition, key: string): Step | undefined => steps.find((step) => step.key === key);

const indexOf = ({ steps }: Definition, key: string): number => steps.findIndex((step) => step.key === key);

const withSteps = (definition: Definition, steps: readonly Step[]): Definition => ({
  ...definition,
  steps: [...steps],
});

/** Replaces a step. Its key stays: renaming also changes what refers to it. */
export function setStep(definition: Definition, key: string, step: Step): Definition {
  const at = indexOf(definition, key);
  if (at < 0 || definition.steps[at] === step) return definition;
  return withSteps(definition, definition.steps.with(at, { ...step, key }));
}

/** Adds a step whose key no other has. */
export function addStep(definition: Definition, step: Step, target: Target = END): Definition {
  if (target.kind === "end") return addAtEnd(definition, step);
  // A comment joins no line: nothing runs in it.
  if (step.type === "note" && (target.kind === "from" || !isChain(definition)))
    return withSteps(definition, [...definition.steps, step]);
  if (target.kind === "before") return addBefore(definition, step, target.key);
  if (target.kind === "from") return addFrom(definition, step, target.key, target.way);
  const from = target.kind === "on" ? target.from : target.key;
  const at = indexOf(definition, from);
  const written = withWrittenConnections(definition);
  const before = written.steps[at];
  if (before === undefined) return withSteps(definition, [...definition.steps, step]);
  const way = target.way ?? wayBehind(before);
  // In a chain, the place in the list is the connection. Behind a branch, it would be one that is always taken.
  const isBranch = step.type === "branch" || before.type === "branch";
  if (isChain(definition) && way.kind === "next" && !isBranch) {
    return withSteps(definition, definition.steps.toSpliced(at + 1, 0, step));
  }
  const led = destinationsOf(before, way);
  const passed = target.kind === "on" ? [target.to] : led;
  const kept = target.kind === "on" ? led.map((key) => (key === target.to ? step.key : key)) : [step.key];
  const added = withPassed(step, passed);
  return withSteps(written, written.steps.with(at, withDestinations(before, way, kept)).toSpliced(at + 1, 0, added));
}

function addAtEnd(definition: Definition, step: Step): Definition {
  const last = definition.steps.at(-1);
  if (last?.type !== "branch" || !isChain(definition)) return withSteps(definition, [...definition.steps, step]);
  if (step.type === "note") return withSteps(definition, [...withWrittenConnections(definition).steps, step]);
  return addFrom(definition, step, last.key, wayBehind(last));
}

/** A step that leads to others. A branch leads to them if no condition is true. */
function withPassed(step: Step, keys: readonly string[]): Step {
  if (keys.length === 0) return step;
  return withDestinations(step, step.type === "branch" ? { kind: "else" } : NEXT, keys);
}

function addFrom(definition: Definition, step: Step, key: string, way: Way): Definition {
  const written = withWrittenConnections(definition);
  const at = indexOf(written, key);
  const before = written.steps[at];
  if (before === undefined) return withSteps(definition, [...definition.steps, step]);
  const connected = withDestinations(before, way, [...destinationsOf(before, way), step.key]);
  return withSteps(written, written.steps.with(at, connected).toSpliced(at + 1, 0, step));
}

function addBefore(definition: Definition, step: Step, key: string): Definition {
  const at = indexOf(definition, key);
  if (at < 0) return withSteps(definition, [...definition.steps, step]);
  if (isChain(definition) && step.type !== "branch")
    return withSteps(definition, definition.steps.toSpliced(at, 0, step));
  const { steps } = withWrittenConnections(definition);
  const led = steps.map((one) => mapDestinations(one, (to) => [to === key ? step.key : to]));
  return withSteps(definition, led.toSpliced(at, 0, withPassed(step, [key])));
}

/** Connects two steps. */
export function connect(definition: Definition, { from, to, way }: Connection): Definition {
  const written = withWrittenConnections(definition);
  const at = indexOf(written, from);
  const step = written.steps[at];
  if (step === undefined || stepOf(written, to) === undefined) return definition;
  const led = destinationsOf(step, way);
  if (led.includes(to)) return definition;
  if (way.kind === "next" && step.type === "branch" && step.destinations === undefined) {
    // What a branch leads to besides its conditions would run always.
    return connect(definition, { from, to, way: { kind: "else" } });
  }
  return withSteps(written, written.steps.with(at, withDestinations(step, way, [...led, to])));
}

/**
 * Whether a connection can go. Without any, the steps would be a chain again, so the last one of several steps stays.
 */
function mayDisconnect(definition: Definition, connection: Connection): boolean {
  return definition.steps.length > 1 && !isChain(disconnected(definition, connection));
}

export function disconnect(definition: Definition, connection: Connection): Definition {
  return mayDisconnect(definition, connection) ? disconnected(definition, connection) : definition;
}

function disconnected(definition: Definition, { from, to, way }: Connection): Definition {
  const written = withWrittenConnections(definition);
  const steps = written.steps.map((step) =>
    step.key === from
      ? mapDestinations(step, (key, other) => (key === to && isSameWay(way, other) ? [] : [key]))
      : step,
  );
  return withSteps(written, steps);
}

/** Deletes steps. What led to one leads to where it led; instead of a branch, to where that led without its conditions. */
export function removeSteps(definition: Definition, keys: readonly string[]): Definition {
  return keys.reduce(removeStep, definition);
}

function removeStep(definition: Definition, key: string): Definition {
  const step = stepOf(definition, key);
  if (step === undefined) return definition;
  const without = definition.steps.filter((one) => one !== step);
  const next = passedBy(step).filter((to) => to !== key);
  const isTwice = without.some((one) => one.key === key);
  const steps = isTwice ? without : without.map((one) => mapDestinations(one, (to) => (to === key ? next : [to])));
  const removed = withSteps(definition, steps);
  return isTwice ? removed : pinOutput(removed, key, undefined);
}

/** Where a line goes on without a step: of a branch, by the one way that all its conditions lead, if there is no other. */
function passedBy(step: Step): readonly string[] {
  const { destinations = [] } = step;
  if (step.type !== "branch") return destinations;
  const otherwise = [...destinations, ...(step.else ?? [])];
  if (otherwise.length > 0) return otherwise;
  const led = new Set(Object.values(step.conditions).flatMap((condition) => condition.destinations));
  return led.size === 1 ? [...led] : [];
}

/** Pins an output of a step for runs of the draft; undefined takes it away. */
export function pinOutput(definition: Definition, key: string, output: JsonValue | undefined): Definition {
  const { pinned = {}, ...others } = definition;
  if (output !== undefined) return { ...others, pinned: { ...pinned, [key]: output } };
  if (!Object.hasOwn(pinned, key)) return definition;
  const { [key]: _, ...left } = pinned;
  return Object.keys(left).length > 0 ? { ...others, pinned: left } : others;
}

/**
 * Puts steps at positions.
 * @param others Where the layout has put the others. Without a position, they would be placed around the moved ones.
 */
export function moveOnCanvas(definition: Definition, moved: Positions, others: Positions): Definition {
  let isChanged = false;
  const steps = definition.steps.map((step): Step => {
    const position = moved.get(step.key) ?? (step.position === undefined ? others.get(step.key) : undefined);
    if (position === undefined) return step;
    const [x, y] = position;
    if (step.position?.[0] === x && step.position[1] === y) return step;
    isChanged = true;
    return { ...step, position: [x, y] };
  });
  return isChanged ? withSteps(definition, steps) : definition;
}

/** Gives a step another size, and the position that goes with it. The others stay where they are, as with `moveOnCanvas`. */
export function resizeOnCanvas(
  definition: Definition,
  key: string,
  position: Position,
  [width, height]: Size,
  others: Positions,
): Definition {
  const moved = moveOnCanvas(definition, new Map([[key, position]]), others);
  const at = indexOf(moved, key);
  const step = moved.steps[at];
  if (step === undefined || (step.size?.[0] === width && step.size[1] === height)) return moved;
  return withSteps(moved, moved.steps.with(at, { ...step, size: [width, height] }));
}

/** Forgets all positions, so that the layout places every step. */
export function tidyUp(definition: Definition): Definition {
  if (definition.steps.every(({ position }) => position === undefined)) return definition;
  return withSteps(
    definition,
    definition.steps.map((step): Step => {
      const { position: _, ...others } = step;
      return others;
    }),
  );
}

/** Moves a step one place up or down: in a chain in the list, else along a line without branches. */
export function moveInOrder(definition: Definition, key: string, direction: "up" | "down"): Definition {
  const at = indexOf(definition, key);
  if (at < 0) return definition;
  if (isChain(definition)) {
    const other = direction === "up" ? at - 1 : at + 1;
    const [step, moved] = [definition.steps[at], definition.steps[other]];
    if (step === undefined || moved === undefined) return definition;
    // What follows a branch in a chain runs always.
    if (step.type === "branch" || moved.type === "branch") return definition;
    return withSteps(definition, definition.steps.with(at, moved).with(other, step));
  }
  const connections = connectionsOf(definition);
  const first = direction === "down" ? key : soleBefore(connections, key);
  const second = first === undefined ? undefined : soleAfter(connections, first);
  if (first === undefined || second === undefined || soleBefore(connections, second) !== first) return definition;
  return swapped(definition, first, second);
}

function soleBefore(connections: readonly Connection[], key: string): string | undefined {
  const found = connections.filter(({ to }) => to === key);
  return found.length === 1 && found[0]?.way.kind === "next" ? found[0].from : undefined;
}

function soleAfter(connections: readonly Connection[], key: string): string | undefined {
  const found = connections.filter(({ from }) => from === key);
  return found.length === 1 && found[0]?.way.kind === "next" ? found[0].to : undefined;
}

/** Swaps two steps that follow each other. The second must not branch, or what follows would depend on the first. */
function swapped(definition: Definition, first: string, second: string): Definition {
  const [one, two] = [stepOf(definition, first), stepOf(definition, second)];
  if (one === undefined || two === undefined || one === two || two.type === "branch" || one.type === "input")
    return definition;
  const steps = definition.steps.map((step) => {
    if (step === one) return withDestinations(two, NEXT, [first]);
    if (step === two) return withDestinations(one, NEXT, two.destinations ?? []);
    return mapDestinations(step, (to) => [to === first ? second : to]);
  });
  return withSteps(definition, steps);
}
