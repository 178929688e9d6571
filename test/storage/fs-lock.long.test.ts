/** The lock of the fs driver: a folder has one owner, wherever its process runs, and is free once that process died. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fs from "../../adapters/storage/fs/fs.ts";
import { type LockEnvironment, lockFolder } from "../../adapters/storage/fs/lock.ts";
import { kernelId } from "../../adapters/storage/fs/lock-kernel.ts";
import { listenIn } from "../../adapters/storage/fs/lock-socket.ts";
import { type Child, startChild } from "../faults/child.ts";

const OWNER = join(import.meta.dirname, "../faults/owner.ts");
const BRIEF = join(import.meta.dirname, "../faults/brief-owner.ts");
const IN_USE = /is in use by/;

let base: string;
const children: Child[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "stepwell-lock-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  rmSync(base, { recursive: true, force: true });
});

async function startOwner(within: readonly string[] = [], folder = base): Promise<Child> {
  const owner = await startChild(OWNER, [folder], "node", within);
  children.push(owner);
  await owner.line((line) => line === "ready");
  return owner;
}

/** The lease never expires, so that only the socket decides. */
const NEVER_EXPIRES = { renewalMs: 5, expiryMs: Number.POSITIVE_INFINITY };
const EXPIRES_SOON = { renewalMs: 5, expiryMs: 50 };
const warnings: string[] = [];
function environmentWith(parts: Partial<LockEnvironment>): LockEnvironment {
  const warn = (message: string) => warnings.push(message);
  return { kernel: kernelId(), times: NEVER_EXPIRES, listen: listenIn, warn, ...parts };
}
const here = environmentWith({});
const withoutSockets = environmentWith({ listen: async () => null });
const elsewhere = environmentWith({ kernel: "another" });

const locks = () => readdirSync(base).filter((name) => name.startsWith("."));
const ownerFile = (number: number) => join(base, `.owner.${number}`, "owner.json");

/** Leaves the lock of a dead process: nobody listens on its socket or renews its lease. */
function createDeadLock(number: number, owner: object): void {
  mkdirSync(join(base, `.owner.${number}`));
  writeFileSync(join(base, `.owner.${number}`, "lease"), "1");
  writeFileSync(
    ownerFile(number),
    JSON.stringify({ id: `id-${number}`, kernel: kernelId(), hasSocket: true, ...owner }),
  );
}

const canUnshare = spawnSync("unshare", ["--pid", "--fork", "--uts", "true"]).status === 0;
/** What separates two containers on one machine. */
const CONTAINERS = [
  ["host name (unshare --uts)", ["unshare", "--uts", "sh", "-c", 'hostname elsewhere && exec "$0" "$@"']],
  ["PID namespace (unshare --pid)", ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]],
] as const;

describe.runIf(canUnshare)("the folder of an owner in another namespace (needs root)", () => {
  it.each(CONTAINERS)("is rejected until the owner is killed: another %s", async (_, within) => {
    const owner = await startOwner(within);
    await expect(lockFolder(base, here)).rejects.toThrow(IN_USE);
    await owner.kill();
    (await lockFolder(base, here))();
  });
});

describe("the folder of an owner on the same kernel", () => {
  it("is rejected, whatever its lock says about host and process", async () => {
    await startOwner();
    const owner = JSON.parse(readFileSync(ownerFile(1), "utf8"));
    for (const changed of [{ host: "elsewhere" }, { pid: 999_999_999 }, { pid: process.pid }]) {
      writeFileSync(ownerFile(1), JSON.stringify({ ...owner, ...changed }));
      await expect(lockFolder(base, here)).rejects.toThrow(IN_USE);
    }
  });

  it("is rejected 600 times in a row while the owner is stopped, and free once it is killed", async () => {
    const owner = await startOwner();
    process.kill(owner.pid ?? 0, "SIGSTOP");
    // More than the backlog of a listening socket.
    for (let round = 0; round < 600; round++) await expect(lockFolder(base, here)).rejects.toThrow(IN_USE);
    await owner.kill();
    (await lockFolder(base, here))();
  });

  it("is free as soon as the owner is killed, even with a path that is too long for a socket", async () => {
    const long = join(base, "x".repeat(100), "y".repeat(100));
    const owner = await startOwner([], long);
    expect(JSON.parse(readFileSync(join(long, ".owner.1", "owner.json"), "utf8")).hasSocket).toBe(true);
    await expect(lockFolder(long, here)).rejects.toThrow(IN_USE);
    await owner.kill();
    (await lockFolder(long, here))();
  });

  it("is free at once whatever dead owners left, and their files are removed", async () => {
    const before = await lockFolder(base, here);
    const owner = JSON.parse(readFileSync(ownerFile(1), "utf8"));
    before();
    createDeadLock(3, owner);
    mkdirSync(join(base, ".owner.4"));
    createDeadLock(5, owner);
    writeFileSync(ownerFile(5), "{");
    mkdirSync(join(base, ".preparing.id"));
    const release = await lockFolder(base, here);
    expect(locks()).toEqual([".owner.6"]);
    release();
    expect(locks()).toEqual([]);
  });
});

describe("locking a folder many times at once", () => {
  const outcomes = (all: readonly PromiseSettledResult<unknown>[]) =>
    all.map((one) => (one.status === "fulfilled" ? "owns" : String(one.reason))).sort();

  it.each([
    ["with sockets", () => here],
    ["with leases", () => withoutSockets],
    ["on two kernels", (contender: number) => (contender % 2 === 0 ? here : elsewhere)],
  ])("succeeds for exactly one of 20 in one process, %s", async (_, placeOf) => {
    for (let round = 0; round < 5; round++) {
      const all = await Promise.allSettled(
        Array.from({ length: 20 }, (_, contender) => lockFolder(base, placeOf(contender))),
      );
      const refused = outcomes(all).filter((outcome) => outcome !== "owns");
      expect(refused).toHaveLength(19);
      for (const reason of refused) expect(reason).toMatch(IN_USE);
      for (const one of all) if (one.status === "fulfilled") one.value();
    }
    expect(locks()).toEqual([]);
  });

  it("succeeds for exactly one of 6 processes", async () => {
    const contenders = await Promise.all(Array.from({ length: 6 }, () => startChild(OWNER, [base])));
    children.push(...contenders);
    const ready = await Promise.allSettled(contenders.map((contender) => contender.line((line) => line === "ready")));
    const refused = outcomes(ready).filter((outcome) => outcome !== "owns");
    expect(refused).toHaveLength(5);
    for (const reason of refused) expect(reason).toMatch(IN_USE);
  });
});

describe("the lease of a folder lock without a usable socket", () => {
  it("locks a folder that cannot hold a socket, with one warning", async () => {
    warnings.length = 0;
    const release = await lockFolder(base, withoutSockets);
    expect(warnings).toEqual([expect.stringContaining("does not support Unix sockets")]);
    await expect(lockFolder(base, here)).rejects.toThrow(IN_USE);
    release();
    (await lockFolder(base, withoutSockets))();
  });

  it("locks the folder while an owner on another kernel renews it", async () => {
    const release = await lockFolder(base, elsewhere);
    await expect(lockFolder(base, here)).rejects.toThrow(IN_USE);
    release();
    (await lockFolder(base, here))();
  });

  it("locks the folder while an owner behind another mount renews it", async () => {
    const release = await lockFolder(base, here);
    const owner = JSON.parse(readFileSync(ownerFile(1), "utf8"));
    writeFileSync(ownerFile(1), JSON.stringify({ ...owner, device: -1 }));
    rmSync(join(base, ".owner.1", "socket"));
    await expect(lockFolder(base, here)).rejects.toThrow(IN_USE);
    release();
  });

  it.each([
    ["that ran on another kernel", { kernel: "another" }],
    ["that had no socket", { hasSocket: false }],
  ])("expires when a dead owner %s stops renewing it", async (_, owner) => {
    createDeadLock(1, owner);
    const release = await lockFolder(base, environmentWith({ times: EXPIRES_SOON }));
    expect(locks()).toEqual([".owner.2"]);
    release();
  });

  it("does not release the lock of the next owner after it was taken over", async () => {
    const first = await lockFolder(base, elsewhere);
    rmSync(join(base, ".owner.1"), { recursive: true });
    const second = await lockFolder(base, here);
    first();
    await expect(lockFolder(base, here)).rejects.toThrow(IN_USE);
    second();
  });
});

it.each(["node", "bun", "deno"] as const)("a lock does not keep a %s process alive", async (runtime) => {
  const child = await startChild(BRIEF, [base], runtime);
  expect(await child.gone).toMatchObject({ code: 0 });
  expect(child.lines).toEqual(["ready"]);
  const driver = fs({ base });
  expect(await driver.getItem("a:b")).toBe("x");
  await driver.dispose?.();
});
