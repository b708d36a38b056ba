// Search, filters, the grid and the sight of one item. Everything it shows came with the page; it
// loads nothing but pictures that stand beside it, and writes texts as texts, never as markup.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const page = JSON.parse(find("data").textContent);
  const items = page.items;
  const search = find("q");
  const filters = find("filters");
  const grid = find("grid");
  const count = find("count");
  const dialog = find("detail");
  const selects = ["status", "class", "lint", "host", "appearance", "kind", "ground", "trim"].map(find);
  const sources = find("sources");
  const hostsLimit = 300;

  // What one filter reads of an item: a list of words.
  const words = {
    status: (item) => [item.status],
    class: (item) => (item.class ? [item.class] : []),
    lint: (item) => item.lint ?? [],
    host: (item) => (item.host ? [item.host] : []),
    appearance: (item) => {
      const word = item.appearance ?? page.appearance;
      return word ? [word] : [];
    },
    kind: (item) => (item.look ? [item.look.kind] : []),
    ground: (item) => item.look?.ground ?? [],
    trim: (item) => (item.look ? [item.look.trimmed ? "trimmed" : "not trimmed"] : []),
  };
  // A word of a lint may say more behind a colon; its head stands for all of them.
  const head = (word) => word.split(":", 1)[0];
  const fits = (word, wanted) =>
    wanted === "any" || word === wanted || word.startsWith(wanted + ":");
  const folded = (text) => text.normalize("NFC").toLowerCase();
  const texts = items.map((item) =>
    folded([item.id ?? item.name, item.name, item.source, item.label ?? ""].join("\n")));

  const make = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== null) node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  };

  // -- Filters, which the address remembers: #q=acme&status=placeholder

  let state = {};
  let shown = items.map((_, index) => index);
  let opened = -1;

  const fill = (select) => {
    const counts = new Map();
    for (const item of items) {
      const heads = new Set(words[select.id](item).map(select.id === "lint" ? head : String));
      for (const word of heads) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    select.append(make("option", { value: "" }, "all"));
    if (select.id === "lint" || select.id === "class") {
      select.append(make("option", { value: "any" }, "any"));
    }
    for (const [word, number] of sorted.slice(0, hostsLimit)) {
      select.append(make("option", { value: word }, `${word} (${number})`));
    }
    select.parentElement.hidden = counts.size === 0;
  };

  const read = () => {
    const hash = location.hash.slice(1);
    const values = new URLSearchParams(hash.includes("=") ? hash : "");
    state = {};
    for (const name of ["q", ...Object.keys(words)]) {
      if (values.get(name)) state[name] = values.get(name);
    }
    opened = values.has("item") ? items.findIndex((i) => String(i.index) === values.get("item")) : -1;
    search.value = state.q ?? "";
    for (const select of selects) {
      const wanted = state[select.id] ?? "";
      if (![...select.options].some((option) => option.value === wanted)) {
        select.append(make("option", { value: wanted }, wanted));
        select.parentElement.hidden = false;
      }
      select.value = wanted;
    }
  };

  const remember = () => {
    const values = new URLSearchParams(state);
    if (opened >= 0) values.set("item", items[opened].index);
    const hash = values.toString();
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  };

  const choose = () => {
    const parts = folded(state.q ?? "").split(/\s+/).filter(Boolean);
    const wanted = Object.entries(state).filter(([name]) => name !== "q");
    shown = [];
    items.forEach((item, index) => {
      if (!parts.every((part) => texts[index].includes(part))) return;
      if (!wanted.every(([name, value]) => words[name](item).some((w) => fits(w, value)))) return;
      shown.push(index);
    });
    const all = items.length.toLocaleString("en");
    const some = shown.length.toLocaleString("en");
    count.textContent = shown.length === items.length
      ? `All ${all} items of this page` : `${some} of ${all} items`;
    find("nothing").hidden = shown.length > 0;
    find("clear").disabled = Object.keys(state).length === 0;
    active = 0;
    grid.replaceChildren();
    draw();
  };

  const changed = () => {
    state = {};
    if (search.value.trim()) state.q = search.value;
    for (const select of selects) if (select.value) state[select.id] = select.value;
    choose();
    remember();
  };

  const clear = () => {
    search.value = "";
    for (const select of selects) select.value = "";
    changed();
  };

  // -- The grid: only the rows near the screen stand in the document

  let active = 0;
  let layout = { columns: 1, step: 1 };

  const ground = (item, scheme) => {
    const picture = item.pictures?.find((p) => (p[4] === "dark") === (scheme === "dark"));
    const alt = scheme === "dark" ? "" : item.label ?? "";
    return make("span", { class: `ground ${scheme}` }, picture
      ? make("img", { src: picture[0], alt, width: picture[1], height: picture[2],
        loading: "lazy", decoding: "async" })
      : make("span", {}, "no picture here"));
  };

  const sourceImage = (item, attributes, fallback) => {
    const image = make("img", { alt: "The source, as it was", decoding: "async", ...attributes });
    image.addEventListener("error", () => image.replaceWith(fallback()));
    image.src = item.before;
    return image;
  };

  const sourceGround = (item) => make("span", { class: "ground source" }, item.before
    ? sourceImage(item, { loading: "lazy" }, () => make("span", {}, "cannot be shown"))
    : make("span", {}, "no source here"));

  const tags = (item) => [
    make("span", { class: `tag ${item.status}` },
      item.status === "stale" ? item.status : item.class ?? item.status),
    ...(item.lint ?? []).map((word) => make("span", { class: "tag lint" }, word)),
  ];

  const card = (place) => {
    const index = shown[place];
    const item = items[index];
    const grounds = page.schemes.map((scheme) => ground(item, scheme));
    if (sources.checked) grounds.unshift(sourceGround(item));
    const button = make("button",
      { type: "button", class: "card", tabindex: place === active ? 0 : -1 },
      make("span", { class: "grounds" }, ...grounds),
      make("span", { class: "words" }, make("bdi", { class: "own" }, item.id ?? item.name),
        make("span", { class: "tags" }, ...tags(item))));
    const node = make("li",
      { "aria-setsize": shown.length, "aria-posinset": place + 1 }, button);
    node.place = place;
    button.addEventListener("click", () => { active = place; open(index); });
    button.addEventListener("focus", () => { if (active !== place) moveTo(place, false); });
    return node;
  };

  const measure = () => {
    if (!grid.firstElementChild) grid.append(card(0));
    const style = getComputedStyle(grid);
    layout = {
      columns: style.gridTemplateColumns.split(" ").length,
      step: grid.firstElementChild.getBoundingClientRect().height + parseFloat(style.rowGap),
    };
  };

  const draw = () => {
    if (shown.length === 0) {
      grid.style.height = grid.style.paddingTop = "";
      return;
    }
    measure();
    const rows = Math.ceil(shown.length / layout.columns);
    const top = -grid.getBoundingClientRect().top;
    const from = Math.min(Math.max(Math.floor(top / layout.step) - 2, 0), rows - 1);
    const upTo = Math.min(Math.ceil((top + innerHeight) / layout.step) + 2, rows);
    const first = from * layout.columns;
    const end = Math.min(Math.max(upTo, from + 1) * layout.columns, shown.length);
    const held = grid.contains(document.activeElement);
    for (const node of [...grid.children]) {
      if (node.place < first || node.place >= end) node.remove();
    }
    let next = grid.firstElementChild;
    for (let place = first; place < end; place += 1) {
      if (next?.place === place) next = next.nextElementSibling;
      else grid.insertBefore(card(place), next);
    }
    grid.style.height = `${rows * layout.step}px`;
    grid.style.paddingTop = `${from * layout.step}px`;
    const isThere = active >= first && active < end;
    // Keys go on to work when what had them has left the screen.
    grid.tabIndex = isThere ? -1 : 0;
    if (held && !grid.contains(document.activeElement)) grid.focus({ preventScroll: true });
  };

  const button = (place) =>
    [...grid.children].find((node) => node.place === place)?.firstElementChild;

  const moveTo = (place, focuses = true) => {
    button(active)?.setAttribute("tabindex", -1);
    active = Math.min(Math.max(place, 0), shown.length - 1);
    if (focuses) {
      const top = grid.getBoundingClientRect().top + scrollY
        + Math.floor(active / layout.columns) * layout.step;
      if (top < scrollY) scrollTo({ top: top - 8 });
      else if (top + layout.step > scrollY + innerHeight) {
        scrollTo({ top: top + layout.step - innerHeight });
      }
      draw();
    }
    button(active)?.setAttribute("tabindex", 0);
    if (focuses) button(active)?.focus({ preventScroll: true });
  };

  grid.addEventListener("keydown", (event) => {
    const screen = Math.max(Math.floor(innerHeight / layout.step), 1) * layout.columns;
    const steps = {
      ArrowLeft: active - 1, ArrowRight: active + 1,
      ArrowUp: active - layout.columns, ArrowDown: active + layout.columns,
      PageUp: active - screen, PageDown: active + screen, Home: 0, End: shown.length - 1,
    };
    if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveTo(steps[event.key]);
  });

  // -- One item

  const fact = (list, name, value) => {
    if (value === undefined || value === "") return;
    list.append(make("dt", {}, name), make("dd", {}, value));
  };
  const own = (text) => make("bdi", { class: "own" }, text);

  const describe = (item) => {
    const title = make("h2", { id: "detail-title" }, own(item.id ?? item.name));
    const sizes = make("div", { class: "sizes" });
    for (const scheme of page.schemes) {
      const pictures = (item.pictures ?? []).filter((p) => (p[4] === "dark") === (scheme === "dark"));
      const tile = make("div", { class: `ground ${scheme}` });
      for (const [path, width, height, name] of pictures) {
        tile.append(make("img", { src: path, width, height,
          alt: `${item.label ?? item.name}, ${name}${scheme === "dark" ? ", dark" : ""}` }));
      }
      if (pictures.length === 0) tile.append(make("span", {}, "no picture here"));
      sizes.append(tile);
    }
    const facts = make("dl", { class: "facts" });
    fact(facts, "name", own(item.name));
    fact(facts, "row", item.row === undefined ? undefined : String(item.row));
    fact(facts, "source", /^https?:\/\//i.test(item.source) && !item.isCut
      ? make("a", { href: item.source, class: "own", rel: "noopener noreferrer nofollow",
        target: "_blank" }, item.source)
      : own(item.source));
    fact(facts, "source is", item.src);
    const state = make("span", {}, ...tags(item));
    fact(facts, "status", state);
    if (item.message) fact(facts, "what happened", own(item.message));
    if (item.label) fact(facts, "label", own(item.label));
    fact(facts, "appearance", words.appearance(item)[0]);
    if (item.look) {
      fact(facts, "look", make("span", {}, ...item.look.words.map((index) =>
        make("span", { class: "sentence" }, page.sentences[index]))));
    }
    return [title, sizes, ...before(item), facts];
  };

  // A source is a stranger's file: it is shown when somebody asks for it, never before.
  const before = (item) => {
    if (!item.before) return [];
    const ask = make("button", { type: "button", class: "plain", id: "before",
      "aria-expanded": "false" }, "Show the source");
    const place = make("div", { class: "before" }, ask);
    ask.addEventListener("click", () => {
      const shows = ask.getAttribute("aria-expanded") === "false";
      ask.setAttribute("aria-expanded", shows);
      ask.textContent = shows ? "Hide the source" : "Show the source";
      ask.nextElementSibling?.remove();
      if (!shows) return;
      place.append(sourceImage(item, {}, () => make("p", { role: "status" },
        "The source is not where it was, or this browser cannot show it.")));
    });
    if (sources.checked) ask.click();
    return [place];
  };

  const open = (index) => {
    opened = index;
    const place = shown.indexOf(index);
    const step = (by, name) => {
      const node = make("button", { type: "button", class: "plain" }, name);
      node.disabled = place < 0 || shown[place + by] === undefined;
      node.addEventListener("click", () => { active = place + by; open(shown[active]); });
      return node;
    };
    const close = make("button", { type: "button", class: "plain" }, "Close");
    close.addEventListener("click", () => dialog.close());
    dialog.replaceChildren(...describe(items[index]),
      make("div", { class: "actions" }, step(-1, "Previous"), step(1, "Next"), close));
    if (!dialog.open) dialog.showModal();
    close.focus();
    remember();
  };

  dialog.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = shown[shown.indexOf(opened) + by];
    if (by === undefined || next === undefined || !shown.includes(opened)) return;
    active = shown.indexOf(next);
    open(next);
  });
  dialog.addEventListener("close", () => {
    // The browser has given the keys back to the card they came from; another may be the one.
    const place = shown.indexOf(opened);
    opened = -1;
    remember();
    if (place >= 0) moveTo(place);
  });

  // -- What comes from outside

  document.addEventListener("keydown", (event) => {
    if (dialog.open || event.altKey || event.ctrlKey || event.metaKey) return;
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "Escape" && Object.keys(state).length > 0) {
      clear();
    }
  });

  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(changed, 80);
  });
  for (const select of selects) select.addEventListener("change", changed);
  sources.addEventListener("change", () => {
    grid.classList.toggle("sources", sources.checked);
    grid.replaceChildren();
    draw();
  });
  filters.addEventListener("submit", (event) => { event.preventDefault(); changed(); });
  find("clear").addEventListener("click", () => { clear(); search.focus(); });

  const follow = (isFirst) => {
    if (!isFirst && location.hash && !location.hash.includes("=")) return;
    read();
    choose();
    if (Object.keys(state).length > 0 && !(isFirst && opened >= 0)) {
      find("items-title").scrollIntoView();
      if (!isFirst) find("items-title").focus({ preventScroll: true });
      draw();
    }
    if (opened >= 0) open(opened);
  };

  let isDue = false;
  const soon = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => { isDue = false; draw(); });
  };

  for (const select of selects) fill(select);
  sources.parentElement.hidden = !items.some((item) => item.before);
  filters.hidden = false;
  find("keys").hidden = false;
  // Only a page of many items has the line.
  find("first")?.setAttribute("hidden", "");
  follow(true);
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon);
  addEventListener("hashchange", () => follow(false));
})();
