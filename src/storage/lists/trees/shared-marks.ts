/** Keeps one array of marks for rows that have the same ones, as most rows of a list do. */

export interface SharedMarks {
  /** Returns the same array for the same marks, unless there are too many combinations. */
  of(marks: readonly string[]): readonly string[];
}

/** Combinations that are remembered. In a list whose rows have unique marks, none comes twice. */
const MAX_COMBINATIONS = 256;

export function createSharedMarks(): SharedMarks {
  const arrays = new Map<string, readonly string[]>();
  return {
    of(marks) {
      if (marks.length === 0) return marks;
      const key = marks.join("\n");
      const known = arrays.get(key);
      // A mark may contain a line break.
      if (known !== undefined) return known.every((mark, index) => mark === marks[index]) ? known : marks;
      if (arrays.size >= MAX_COMBINATIONS) arrays.clear();
      arrays.set(key, marks);
      return marks;
    },
  };
}
