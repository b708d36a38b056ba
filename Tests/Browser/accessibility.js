// What can be said about a page without a person: names, roles, order, contrast, room. Gives a list
// of sentences, one for each fault; an empty list is what a test wants. The rules are those of
// WCAG 2.2 that a program can judge.
(() => {
  const faults = [];
  const fault = (rule, node) =>
    faults.push(`${rule}: ${node.outerHTML.replace(/\s+/g, " ").slice(0, 140)}`);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true })
    && !node.closest("[aria-hidden=true]");
  const dialog = document.querySelector("dialog[open]");
  const seen = (selector) =>
    all(selector).filter((node) => isSeen(node) && (!dialog || dialog.contains(node)));

  // The name that a reader of the screen hears.
  const texts = (ids) => ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "");
  const nameOf = (node) => {
    if (node.hasAttribute("aria-labelledby")) return texts(node.getAttribute("aria-labelledby")).join(" ");
    if (node.hasAttribute("aria-label")) return node.getAttribute("aria-label");
    if (node.labels?.length) return [...node.labels].map((label) => label.textContent).join(" ");
    const pictures = [...node.querySelectorAll("img")].map((image) => image.alt);
    return [node.textContent, ...pictures].join(" ");
  };

  // The page as a whole.
  if (!document.documentElement.lang) fault("no language", document.documentElement);
  if (!document.title.trim()) fault("no title", document.head);
  const view = document.querySelector("meta[name=viewport]")?.content ?? "";
  if (/user-scalable\s*=\s*no|maximum-scale/.test(view)) fault("cannot be enlarged", document.head);
  if (all("main").length !== 1) fault("not one main landmark", document.body);
  if (all("h1").length !== 1) fault("not one h1", document.body);
  for (const node of document.body.children) {
    if (!/^(HEADER|MAIN|FOOTER|NAV|SCRIPT|DIALOG|ASIDE)$/.test(node.tagName)) {
      fault("outside of any landmark", node);
    }
  }
  let level = 0;
  for (const node of all("h1, h2, h3, h4").filter((node) => !node.closest("dialog"))) {
    const own = Number(node.tagName[1]);
    if (own > level + 1) fault(`heading skips from ${level}`, node);
    if (!node.textContent.trim()) fault("empty heading", node);
    level = own;
  }
  const ids = new Set();
  for (const node of all("[id]")) {
    if (ids.has(node.id)) fault("id twice", node);
    ids.add(node.id);
  }
  for (const node of all("[aria-labelledby], [aria-describedby], [aria-controls]")) {
    if (node.tagName === "DIALOG" && !node.open) continue;
    for (const name of ["aria-labelledby", "aria-describedby", "aria-controls"]) {
      for (const id of (node.getAttribute(name) ?? "").split(/\s+/).filter(Boolean)) {
        if (!ids.has(id)) fault(`${name} names nothing`, node);
      }
    }
  }

  // What can be used, seen or heard.
  for (const node of seen("a[href], button, input, select, textarea, summary, [role=search], nav, section, dialog")) {
    if (!nameOf(node).trim()) fault("no name", node);
  }
  const landmarks = new Set();
  for (const node of seen("nav, section, [role=search], main")) {
    const key = node.tagName + nameOf(node).slice(0, 60);
    if (node.tagName !== "MAIN" && landmarks.has(key)) fault("landmark with the name of another", node);
    landmarks.add(key);
  }
  for (const node of all("img")) if (!node.hasAttribute("alt")) fault("no alt", node);
  for (const node of seen("svg").filter((node) => !node.parentElement.closest("svg"))) {
    // The parts of a group are announced one by one.
    const isDrawing = ["img", "group"].includes(node.getAttribute("role"));
    if (!isDrawing || !nameOf(node).trim()) fault("drawing without words", node);
  }
  for (const node of all("[tabindex]")) if (node.tabIndex > 0) fault("order of keys is forced", node);
  for (const node of seen("[aria-hidden=true] a, [aria-hidden=true] button")) fault("hidden, yet has keys", node);
  for (const node of all("button button, a a, a button, button a, label label")) fault("control in a control", node);
  for (const node of all("ul > :not(li), ol > :not(li), dl > :not(dt, dd, div)")) fault("stranger in a list", node);
  for (const node of all("li")) if (!node.closest("ul, ol")) fault("outside of a list", node);
  for (const node of all("table")) {
    if (!node.caption?.textContent.trim()) fault("table without a caption", node);
    const heads = [...node.querySelectorAll("thead th")];
    if (heads.length === 0) fault("table without heads", node);
    for (const head of node.querySelectorAll("th")) if (!head.scope) fault("head without a scope", head);
    for (const head of heads) if (!head.textContent.trim()) fault("empty head", head);
    for (const row of node.rows) {
      if (row.cells.length !== heads.length) fault("row of another length than its heads", row);
    }
  }
  const tells = all("[role=status], [aria-live]").some((node) => node.textContent.trim());
  if (seen("input[type=search]").length > 0 && !tells) fault("no live region with words", document.body);
  for (const node of seen("button, input, select, summary")) {
    const box = node.getBoundingClientRect();
    if (box.width < 24 || box.height < 24) fault("too small to be hit", node);
  }

  // Nothing leaves the screen to the side, and no number is broken.
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) {
    fault(`${document.documentElement.scrollWidth} wide on ${width}`, document.documentElement);
  }
  const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || /^(SCRIPT|STYLE|OPTION|TITLE|DESC)$/i.test(parent.tagName)) continue;
    if (isSeen(parent)) words.push([node, parent]);
  }
  const range = document.createRange();
  for (const [node, parent] of words) {
    for (const match of node.data.matchAll(/(?<![\w.-])\d[\d,.]*(?![\w-])/g)) {
      if (parent.closest(".own")) continue;
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) fault(`number ${match[0]} in two lines`, parent);
    }
  }

  // Contrast, as sRGB colours laid over each other.
  const channel = (value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const colour = (text) => {
    const parts = text.match(/[\d.]+/g).map(Number);
    return [parts[0], parts[1], parts[2], parts[3] ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const groundOf = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) {
      const layer = colour(getComputedStyle(at).backgroundColor);
      layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const contrast = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  for (const [, parent] of words) {
    if (parent.closest("svg, :disabled, .state")) continue;
    const style = getComputedStyle(parent);
    const ground = groundOf(parent);
    const ratio = contrast(over(colour(style.color), ground), ground);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio < least) fault(`contrast ${ratio.toFixed(2)}`, parent);
  }
  // Where a control ends is to be seen, too.
  for (const node of seen("input, select, button.plain")) {
    const edge = colour(getComputedStyle(node).borderTopColor);
    const ground = groundOf(node.parentElement);
    if (contrast(over(edge, ground), ground) < 3) fault("edge of a control", node);
  }
  return [...new Set(faults)];
})()
