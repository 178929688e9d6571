/** The script that reads a page. It is executed in the page and in each of its frames. */

export type PageReading =
  | { readonly kind: "document"; readonly html: string; readonly title: string; readonly url: string }
  | { readonly kind: "too large"; readonly characters: number; readonly url: string };

/** Maximum length of a returned title, in characters. */
const MAX_TITLE_CHARS = 1_000;

/**
 * The source of a function. Its arguments are the character limit, whether this is a frame, and for each child frame
 * the element and its {@link PageReading}. It returns the document with open shadow trees and frames inserted where
 * they appear. For a frame, it returns the content of the body with absolute URLs.
 *
 * It calls the built-in getters directly, because elements with matching names can shadow properties. Copies are
 * created in an inert document, where no script runs and nothing loads. There is no recursion, because pages may be
 * nested to any depth.
 */
export const PAGE_SCRIPT = `function (most, isFrame, ...inside) {
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (of) => get.call(of);
  };
  const htmlOf = getter(Element, "outerHTML"), innerOf = getter(Element, "innerHTML"), nameOf = getter(Element, "localName");
  const shadowOf = getter(Element, "shadowRoot"), childrenOf = getter(Node, "childNodes"), kindOf = getter(Node, "nodeType");
  const attributeOf = (element, name) => Element.prototype.getAttribute.call(element, name);
  const put = (element, name, value) => Element.prototype.setAttribute.call(element, name, value);

  const body = getter(Document, "body")(document);
  const root = isFrame ? body : getter(Document, "documentElement")(document);
  const type = isFrame ? null : getter(Document, "doctype")(document);
  const head = type ? "<!DOCTYPE " + type.name + ">\\n" : "";
  const given = (html) =>
    html.length > most
      ? { kind: "too large", characters: html.length, url: location.href }
      : { kind: "document", html, title: getter(Document, "title")(document).slice(0, ${MAX_TITLE_CHARS}), url: location.href };

  const plain = root ? head + (isFrame ? innerOf(root) : htmlOf(root)) : "";
  if (!root || plain.length > most) return given(plain);
  const hasShadow = [root, ...Element.prototype.getElementsByTagName.call(root, "*")].some((one) => shadowOf(one) !== null);
  if (!isFrame && !hasShadow && inside.length === 0) return given(plain);

  /** The frames that fit into the limit. */
  const frames = new Map();
  let left = most - plain.length;
  for (let at = 0; at < inside.length; at += 2) {
    const { html = "", url } = inside[at + 1];
    if (html === "" || html.length > left) continue;
    left -= html.length;
    frames.set(inside[at], { html, url });
  }

  const inert = getter(Document, "implementation")(document).createHTMLDocument("");
  const base = isFrame ? getter(Node, "baseURI")(document) : null;
  const work = [];

  /** Copies a node and queues its content for later. */
  function copyOf(node, isTop) {
    if (kindOf(node) !== Node.ELEMENT_NODE) return inert.importNode(node, true);
    const name = nameOf(node);
    const frame = frames.get(node);
    if (frame || name === "frame") return frameOf(frame, attributeOf(node, "src"));
    // A parser accepts only frames inside a frameset.
    const made =
      name === "frameset" ? inert.createElement(isTop ? "body" : "div") : inert.importNode(node, name === "template");
    for (const address of base === null ? [] : ["href", "src"]) {
      const value = attributeOf(made, address);
      if (value !== null && URL.canParse(value, base)) put(made, address, new URL(value, base).href);
    }
    if (name !== "template") work.push({ nodes: shownIn(node, name), into: made, isTop: node === root });
    return made;
  }

  function frameOf(frame, source) {
    const made = inert.createElement("div");
    made.setAttribute("data-frame", frame ? frame.url : (source ?? ""));
    if (frame) made.innerHTML = frame.html;
    return made;
  }

  function shownIn(element, name) {
    const shadow = shadowOf(element);
    if (shadow !== null) return childrenOf(shadow);
    const assigned = name === "slot" && element.assignedNodes ? element.assignedNodes() : [];
    return assigned.length > 0 ? assigned : childrenOf(element);
  }

  const copy = copyOf(root, isFrame);
  while (work.length > 0) {
    const { nodes, into, isTop } = work.pop();
    for (const node of nodes) Node.prototype.appendChild.call(into, copyOf(node, isTop));
  }
  return given(isFrame ? innerOf(copy) : head + htmlOf(copy));
}`;
