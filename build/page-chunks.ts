/**
 * How the page of the console is cut into files. Left alone, the bundler makes a file of each set of modules that the same
 * screens share: 125 files, most of them with less than a kilobyte, which compress a tenth worse than together.
 */
import { join } from "node:path";

/** What the bundler tells of a module. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Loaded with the first cron expression, and shared only by its own languages. */
const CRON_WORDS = /node_modules[\\/]cronstrue[\\/]/;
/** Of a language, what only screens with services or trigger types show. */
const BUILT_INS = /[\\/]console[\\/]app[\\/]texts[\\/]([\w-]+)[\\/]built-ins[\\/]/;
const TEXTS = /[\\/]console[\\/]app[\\/]texts[\\/]([\w-]+)[\\/]/;

/** @param app Folder of the page. */
export function pageChunks(app: string) {
  const isOfEntry = createEntryCheck(join(app, "main.tsx"));
  return {
    // A module that a chunk needs comes with it, unless another group has it, so that no chunks need each other.
    includeDependenciesRecursively: true,
    groups: [
      // English loads with the page, and counts apart from it.
      { name: (id: string) => (TEXTS.exec(id)?.[1] === "en" ? "en" : null), priority: 5 },
      { name: (id: string, graph: ModuleGraph) => (isOfEntry(id, graph) ? "index" : null), priority: 4 },
      { name: builtInsOf, priority: 3 },
      // The text editor loads with the first field that needs it.
      {
        name: "editor",
        test: /node_modules[\\/](@codemirror|@lezer|@marijn|style-mod|w3c-keyname|crelt)[\\/]/,
        priority: 3,
      },
      // What several screens need. Other languages are loaded one at a time.
      {
        name: (id: string) => (TEXTS.test(id) || CRON_WORDS.test(id) ? null : "shared"),
        minShareCount: 3,
        priority: 2,
      },
      // Small screens that are looked at together.
      sectionsOf("data", ["collections", "records"]),
      sectionsOf("automation", ["files", "schedules", "webhooks", "connections", "keys", "tags"]),
    ],
  };
}

function builtInsOf(id: string): string | null {
  const language = BUILT_INS.exec(id)?.[1];
  return language === undefined ? null : `built-ins-${language}`;
}

function sectionsOf(name: string, folders: readonly string[]) {
  return { name, test: new RegExp(`[\\\\/]console[\\\\/]app[\\\\/](?:${folders.join("|")})[\\\\/]`), priority: 1 };
}

/** Finds the modules that load with the page. */
function createEntryCheck(entry: string) {
  let found: Set<string> | undefined;
  return (id: string, graph: ModuleGraph): boolean => {
    if (found === undefined) {
      found = new Set([entry]);
      // A set also visits what is added meanwhile.
      for (const one of found) for (const next of graph.getModuleInfo(one)?.importedIds ?? []) found.add(next);
    }
    return found.has(id);
  };
}
