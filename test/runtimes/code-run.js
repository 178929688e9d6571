/**
 * Uses the sandbox where there is no vitest, from the module named by the first argument, and prints what came of it as
 * one JSON object. Leaves the sandbox open: the process has to end by itself.
 */
const { createQuickjsSandbox } = await import(process.argv[2]);

const sandbox = createQuickjsSandbox({ threads: 2 });
const limits = { memoryBytes: 16 * 2 ** 20, timeoutMs: 10_000, stackBytes: 2 ** 18, outputCharacters: 10_000 };

function run(code, given = {}, signal = undefined) {
  const call = { code, globals: { input: { a: 1 } }, limits: { ...limits, ...given } };
  return sandbox.run(signal === undefined ? call : { ...call, signal }).then(
    ({ value, logs }) => ({ value, logs }),
    (error) =>
      error.name === "SandboxError" ? { code: error.code, limit: error.limit, line: error.line } : error.name,
  );
}

const stop = new AbortController();
const endless = run("for (;;);", {}, stop.signal);
setTimeout(() => stop.abort(), 300);
console.log(
  JSON.stringify({
    answers: await run("console.log('a', input); return input.a + await 1"),
    throws: await run("\nnull.x"),
    loops: await run("while (true);", { timeoutMs: 200 }),
    // Bun answers in time as well, but cannot end a thread that is in a long built-in function, and waits for it.
    ...(process.versions.bun === undefined && {
      holds: await run("return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)", { timeoutMs: 200 }),
    }),
    allocates: await run("const all = []; for (;;) all.push({})"),
    recurses: await run("const f = () => f() + 1; return f()"),
    aborted: await endless,
    lives: await run("return 'still here'"),
  }),
);
