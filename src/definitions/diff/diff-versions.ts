/** Compares two versions for callers. Pure. */
import { checkedJson, omitUndefined, pointer } from "../../json.ts";
import type { Version } from "../../workflows/version.ts";
import { compareDefinitions, matchSteps, movedSteps } from "./compare.ts";
import { MAX_CHANGES, type Path, type VersionDiff } from "./version-diff.ts";

export function diffVersions(before: Version, after: Version): VersionDiff {
  const added: VersionDiff["added"][number][] = [];
  const removed: VersionDiff["removed"][number][] = [];
  const changed: VersionDiff["changed"][number][] = [];
  const moved: VersionDiff["moved"][number][] = [];
  const count = () => added.length + removed.length + changed.length + moved.length;
  let truncated = false;
  for (const one of compareDefinitions(before, after)) {
    truncated = count() === MAX_CHANGES;
    if (truncated) break;
    const step = one.kind === "removed" ? stepOf(before, one.from) : stepOf(after, one.to);
    if (one.kind === "added") {
      added.push({ pointer: pointer(one.to), ...omitUndefined({ step }), value: checkedJson(one.value) });
    } else if (one.kind === "removed") {
      removed.push({ pointer: pointer(one.from), ...omitUndefined({ step }), value: checkedJson(one.value) });
    } else {
      const places = { pointer: pointer(one.to), from_pointer: pointer(one.from) };
      const values = { before: checkedJson(one.before), after: checkedJson(one.after) };
      changed.push({ ...places, ...omitUndefined({ step }), ...values });
    }
  }
  for (const { from, to } of movedSteps(matchSteps(before.steps, after.steps))) {
    truncated ||= count() === MAX_CHANGES;
    if (truncated) break;
    const places = { pointer: pointer(["steps", to]), from_pointer: pointer(["steps", from]) };
    moved.push({ ...places, step: after.steps[to]?.key ?? "" });
  }
  const side = ({ id, version }: Version) => ({ id, version });
  return { from: side(before), to: side(after), added, removed, changed, moved, truncated };
}

function stepOf({ steps }: Version, [field, index]: Path): string | undefined {
  return field === "steps" && typeof index === "number" ? steps[index]?.key : undefined;
}
