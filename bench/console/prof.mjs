import { openSeededServer } from "./seed.js";
import { openBrowser, openTab, afterClick } from "./tab.js";
const server = await openSeededServer();
const browser = await openBrowser();
const tab = await openTab(browser, server);
const { page, cdp } = tab;
await cdp.send("Profiler.enable");
async function profile(name, work) {
  await cdp.send("Profiler.setSamplingInterval", { interval: 500 });
  await cdp.send("Profiler.start");
  const a = await tab.work(); const t0 = performance.now();
  await work();
  const b = await tab.work();
  const { profile } = await cdp.send("Profiler.stop");
  console.log("##", name, "wall", (performance.now()-t0).toFixed(0), "cpu", (b.all-a.all).toFixed(0), "script", (b.script-a.script).toFixed(0));
  const byId = new Map(profile.nodes.map(n=>[n.id,n]));
  const parent = new Map(); for (const n of profile.nodes) for (const c of n.children ?? []) parent.set(c,n.id);
  const self=new Map(), total=new Map();
  profile.samples.forEach((id,i)=>{ const d=profile.timeDeltas[i]/1000; const seen=new Set();
    const key=n=>`${n.callFrame.functionName}@${n.callFrame.url.split("/").pop()}:${n.callFrame.lineNumber}:${n.callFrame.columnNumber}`;
    self.set(key(byId.get(id)),(self.get(key(byId.get(id)))??0)+d);
    for(let at=id;at!==undefined;at=parent.get(at)){const k=key(byId.get(at)); if(seen.has(k))continue; seen.add(k); total.set(k,(total.get(k)??0)+d);} });
  const top=async(m,label)=>{console.log(label); for(const [k,v] of [...m].sort((x,y)=>y[1]-x[1]).slice(0,label==="total"?45:14)){ console.log(v.toFixed(0).padStart(7),k); }};
  await top(self,"self"); await top(total,"total");
}
const what = process.argv[2];
if (what === "expr") {
  await page.goto(tab.path(`/workflows/${server.large[200]}?view=canvas&step=step_5`));
  await page.waitForFunction(() => document.querySelector(".step-editor .code-editor > textarea") === null);
  await page.getByText("When", { exact: true }).click();
  await page.getByRole("textbox", { name: "Only if" }).click();
  await page.keyboard.press("a"); await page.waitForTimeout(2000);
  await profile("expr", async () => { for (let i=0;i<20;i++){ await page.keyboard.press("abcdefgh"[i%8]); await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => setTimeout(r)))); } });
}
if (what === "big") {
  await page.goto(tab.path(`/runs/${server.bigRun}`));
  await page.locator("[data-row=big]").waitFor();
  const { key } = await server.createKey();
  for (let i=0;i<3;i++){ const t=performance.now(); const c=process.cpuUsage(); const r=await fetch(`${server.baseUrl}/apps/${server.app.id}/runs/${server.bigRun}/steps/big?preview=262144`,{headers:{authorization:`Bearer ${key}`}}); const n=(await r.arrayBuffer()).byteLength; const d=process.cpuUsage(c); console.log("server", (performance.now()-t).toFixed(0), "cpu", ((d.user+d.system)/1000).toFixed(0), n); }
  await profile("big", async () => { console.log(await afterClick(page, () => page.locator("[data-row=big]").click(), () => document.querySelector(".run-inspector .long-text") !== null)); });
}
await browser.close(); await server.close();
