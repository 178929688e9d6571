/** Caches compiled versions. */

import { LRUCache } from "lru-cache";
import type { FieldError } from "../../errors.ts";
import { omitUndefined } from "../../json.ts";
import { errorsOfEach } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Services } from "../../services/registry.ts";
import type { Definition, Version } from "../../workflows/version.ts";
import type { Cel } from "../expressions/cel.ts";
import { createSchemaChecks } from "../model/json-schema.ts";
import type { WebPages } from "../steps/web-page.ts";
import { type Compiled, type CompileOptions, compile, type LoadCel, type Source } from "./compile.ts";
import type { CodeRunner, ModelRunner } from "./step-implementation.ts";

export interface VersionCache {
  get(version: Version): Compiled | Promise<Compiled>;
  /** Loads CEL, which all versions share. */
  readonly loadCel: LoadCel;
  /**
   * Returns all errors in a definition's steps: those of compilation, and inputs that the named actions don't accept.
   *
   * @param onWarning Called for each mistake that prevents no deployment.
   */
  check(definition: Definition, onWarning?: (warning: FieldError) => void): Promise<readonly FieldError[]>;
}

/** Maximum number of cached versions. */
const MAX_CACHED_VERSIONS = 500;

/** The CEL module, shared by all services in the process and loaded once. */
let celModule: Promise<typeof import("../expressions/cel.ts")> | undefined;

function loadCelModule() {
  celModule ??= import("../expressions/cel.ts");
  return celModule;
}

export function createVersionCache(parts: {
  clock: Clock;
  services: Services;
  code: CodeRunner;
  models: ModelRunner;
  pages: WebPages;
}): VersionCache {
  const known = new LRUCache<string, Compiled>({ max: MAX_CACHED_VERSIONS });
  /** Keyed by the steps array: the store returns the same frozen array until the draft is replaced. */
  const checked = new WeakMap<object, Promise<Compiled>>();
  let cel: Promise<Cel> | undefined;

  const loadCel: LoadCel = () => {
    cel ??= loadCelModule().then(({ createCel }) => createCel(parts.clock));
    return cel;
  };

  const options: CompileOptions = { loadCel, ...parts, schemaCheck: createSchemaChecks(parts.clock) };

  function compileOnce({ input, steps, settings, pinned }: Source): Promise<Compiled> {
    // A deployed version shares the steps of its draft, but not its pinned outputs.
    const before = pinned === undefined ? checked.get(steps) : undefined;
    if (before !== undefined) return before;
    const compiled = compile({ input, steps, ...omitUndefined({ settings, pinned }) }, options);
    if (pinned === undefined && Object.isFrozen(steps)) checked.set(steps, compiled);
    return compiled;
  }

  return {
    loadCel,
    get(version) {
      const before = known.get(version.id);
      if (before !== undefined) return before;
      return compileOnce(version).then((compiled) => {
        known.set(version.id, compiled);
        return compiled;
      });
    },
    async check(definition, onWarning) {
      const { problems, deployChecks, warningChecks } = await compileOnce(definition);
      if (onWarning !== undefined)
        for (const one of await errorsOfEach(warningChecks, (check) => check())) onWarning(one);
      return [...problems, ...(await errorsOfEach(deployChecks, (check) => check()))];
    },
  };
}
