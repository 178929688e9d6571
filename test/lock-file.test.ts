/** The lock file must install on every platform: `npm ci` rejects one that lacks packages of another platform. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const readJson = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, "..", name), "utf8"));
const locked: Readonly<Record<string, LockedPackage>> = readJson("package-lock.json").packages;
const manifest = readJson("package.json");

/** Resolves as Node.js does: the innermost folder on the way up that has the package. */
function resolveFrom(place: string, name: string): LockedPackage | undefined {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = locked[folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`];
    if (found !== undefined || folder === "") return found;
  }
}

/** Packages with one binary per platform. */
const PLATFORM_PACKAGES = ["@biomejs/biome", "bun", "deno", "esbuild", "rollup", "typescript7"];
const PLATFORMS = ["linux x64", "linux arm64", "darwin x64", "darwin arm64", "win32 x64", "win32 arm64"];

describe("package-lock.json", () => {
  it("matches the dependencies of package.json", () => {
    const { dependencies, devDependencies } = locked[""] ?? {};
    expect({ dependencies, devDependencies }).toEqual({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
    });
  });

  it("has an entry for every dependency and optional dependency", () => {
    const missing = Object.entries(locked).flatMap(([place, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => resolveFrom(place, name) === undefined)
        .map((name) => `${place} -> ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("has a checksum for every package", () => {
    const unchecked = Object.keys(locked).filter((place) => place !== "" && locked[place]?.integrity === undefined);
    expect(unchecked).toEqual([]);
  });

  it.each(PLATFORM_PACKAGES.flatMap((name) => PLATFORMS.map((platform) => [name, platform] as const)))(
    "has the binary of %s for %s",
    (name, platform) => {
      const [os = "", cpu = ""] = platform.split(" ");
      const place = `node_modules/${name}`;
      const programs = Object.keys(locked[place]?.optionalDependencies ?? {}).map((program) =>
        resolveFrom(place, program),
      );
      expect(programs.some((program) => program?.os?.includes(os) && program.cpu?.includes(cpu))).toBe(true);
    },
  );
});
