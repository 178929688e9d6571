/** When a step with items ended: with the last item, whose outcome need not come last. */
import { expect, it } from "vitest";
import { createForEachState } from "../../src/engine/progress/for-each.ts";
import { outcomeOfWait } from "../../src/engine/progress/step-state.ts";

it.each([
  ["in order", [10, 20, 30]],
  ["in another order", [30, 10, 20]],
])("is the end of the last item, %s", (_, ends) => {
  const each = createForEachState([1, 2, 3], { items: () => [], concurrency: 3, isTolerant: true });
  each.begin();
  for (const [item, at] of ends.entries()) {
    const error = item === 1 ? { code: "code_failed", message: "It broke." } : null;
    expect(each.settle(item, outcomeOfWait(at, null, error))).toBeNull();
  }
  expect([each.isDone(), each.finishedAt()]).toEqual([true, 30]);
});
