/** All ways in which a page can make its browser connect to a server. */

/** A page that runs this script. */
export const pageRunning = (script: string, html = "") => `<title>page</title><body>${html}<script>${script}</script>`;

/** Each way in a scope of its own, so that one page can try all of them. */
const scopedScript = (script: string, html = "") => `${html}<script>{ ${script} }</script>`;

const speculation = (origin: string) =>
  // One URL each: of two rules for one URL the browser follows the first, which may be one that it rejects.
  JSON.stringify({
    prerender: [{ urls: [`${origin}/1`], eagerness: "immediate" }],
    prefetch: [
      { urls: [`${origin}/2`], eagerness: "immediate" },
      { urls: [`${origin}/3`], eagerness: "immediate", requires: ["anonymous-client-ip-when-cross-origin"] },
    ],
  });

/** Host names that resolve to this machine. */
const LOOPBACK_NAMES = [
  ...["localhost", "0x7f.1", "2130706433", "127.1", "0", "[::1]", "[::ffff:127.0.0.1]", "127.0.0.1."],
  ...["LOCALHOST", "a.localhost"],
];

/** HTML by name that connects to a server on the loopback interface. */
export const OUTBOUND_REQUESTS: Readonly<Record<string, (host: string, port: number) => string>> = {
  images: (host) =>
    `<img src="http://${host}/"><img srcset="http://${host}/ 2x"><picture><source srcset="http://${host}/"></picture>`,
  "styles and fonts": (host) =>
    `<link rel=stylesheet href="http://${host}/">
     <style>@import "http://${host}/"; body { background: url(http://${host}/) }</style>`,
  "scripts and modules": (host) =>
    `<script src="http://${host}/"></script><script type=module>import "http://${host}/"</script>`,
  frames: (host) =>
    `<iframe src="http://${host}/"></iframe><object data="http://${host}/"></object><embed src="http://${host}/">`,
  "frames of pages within the page": (host) =>
    `<iframe srcdoc='<img src="http://${host}/">'></iframe>
     <iframe src="data:text/html,<img src=http://${host}/>"></iframe>`,
  prefetching: (host) =>
    `<link rel=prefetch href="http://${host}/"><link rel=preconnect href="http://${host}">
     <link rel=dns-prefetch href="//${host}"><link rel=preload as=image href="http://${host}/">
     <link rel=modulepreload href="http://${host}/">`,
  speculation: (host) => `<script type=speculationrules>${speculation(`http://${host}`)}</script>`,
  "fetch and XHR": (host) =>
    scopedScript(`fetch("http://${host}/", { mode: "no-cors" });
      const x = new XMLHttpRequest(); x.open("GET", "http://${host}/"); x.send();
      navigator.sendBeacon("http://${host}/", "x")`),
  "WebSockets and event streams": (host) =>
    scopedScript(`new WebSocket("ws://${host}/"); new EventSource("http://${host}/")`),
  WebTransport: (host) => scopedScript(`new WebTransport("https://${host}/").ready.catch(() => {})`),
  WebRTC: (host) =>
    scopedScript(`const urls = ["stun:${host}", "turn:${host}?transport=tcp"];
      const p = new RTCPeerConnection({ iceServers: [{ urls, username: "u", credential: "c" }] });
      p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o))`),
  workers: (host) =>
    scopedScript(`const script = "fetch('http://${host}/', {mode:'no-cors'}); importScripts('http://${host}/worker.js')";
      const blob = new Blob([script]);
      new Worker(URL.createObjectURL(blob)); new SharedWorker(URL.createObjectURL(blob))`),
  windows: (host) =>
    scopedScript(`window.open("http://${host}/");
      const a = document.createElement("a"); a.href = "http://${host}/"; a.target = "_blank";
      document.body.append(a); a.click()`),
  forms: (host) =>
    scopedScript(
      "document.forms[0].submit()",
      `<form action="http://${host}/" target="frame"></form><iframe name=frame></iframe>`,
    ),
  "media and icons": (host) =>
    `<link rel=icon href="http://${host}/"><video src="http://${host}/" poster="http://${host}/" autoplay></video>
     <audio src="http://${host}/" autoplay></audio>`,
  "the same by other names": (_, port) => LOOPBACK_NAMES.map((name) => `<img src="http://${name}:${port}/">`).join(""),
};
