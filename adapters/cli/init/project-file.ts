/** A file that `stepwell init` writes. Types only. */

export interface ProjectFile {
  /** Relative to the folder of the project. */
  readonly path: string;
  readonly text: string;
  /** A file that exists keeps its lines, and gets those of `text` that it lacks. @default false */
  readonly keepsLines?: boolean;
  /** The paths at which the host looks for the file, in its order. It reads one of them. @default only `path` */
  readonly places?: readonly string[];
  /** The lines that a file of the project needs if it was written for something else. @default none: it is replaced or kept */
  readonly addition?: string;
}

/** What is known of the project. */
export interface ProjectLayout {
  /** Whether the host reads its files from `src/`. */
  readonly hasSourceFolder: boolean;
}
