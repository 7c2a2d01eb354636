"use strict";
// Draws the data that stands in the page. Names and text of files are only ever set as text, never as markup.
(() => {
  const $ = (id) => document.getElementById(id);
  const MOST_ROWS = 200, CALLS_A_PAGE = 20, LINE = 20, REFRESH_MS = 2000;
  const GOOD = new Set(["read", "searched", "listed"]);
  let data, view, tree, folder, order = { key: "tokens", down: true }, page = 0, range = null, matching = [];
  let cells = [], current = -1, opened = null, shownAll = false;

  // ---- words and numbers

  const count = (n) => n.toLocaleString("en-US");
  const many = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
  const percent = (part) => (part === null ? "?" : part > 0 && part < 0.001 ? "<0.1 %" : part < 1 && part > 0.999 ? ">99.9 %" : `${+(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`);
  const bytes = (n) => (n < 1000 ? `${n} B` : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : n < 1e9 ? `${(n / 1e6).toFixed(1)} MB` : `${(n / 1e9).toFixed(1)} GB`);
  const clock = (ms) => (ms < 0 ? "no time" : new Date(ms).toISOString().replace("T", " ").slice(0, 19));
  // The date is left out where all calls are of one day.
  const moment = (ms) => (data.span[0] !== null && ms >= 0 && clock(data.span[0]).slice(0, 10) === clock(data.span[1]).slice(0, 10) ? clock(ms).slice(11) : clock(ms));
  const duration = (ms) => {
    const s = Math.round(ms / 1000), parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
    const said = parts.map(([size, unit], i) => [Math.floor((i ? s % parts[i - 1][0] : s) / size), unit]).filter(([n]) => n);
    return said.slice(0, 2).map(([n, unit]) => `${n} ${unit}`).join(" ") || "under a second";
  };
  // Control characters and those that turn the direction of text are shown by their numbers, so that no name can pose as another.
  const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;
  const safe = (name) => name.replace(HIDDEN, (c) => `\\u${c.codePointAt(0).toString(16).padStart(4, "0")}`);
  const short = (name) => { const s = safe(name); return s.length > 300 ? `${s.slice(0, 140)} … ${s.slice(-140)}` : s; };

  function make(tag, fields = {}, ...inside) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(fields)) {
      if (name === "onclick") node.addEventListener("click", value);
      else if (name === "class") node.className = value;
      else node.setAttribute(name, value);
    }
    node.append(...inside.map((each) => (typeof each === "number" ? count(each) : each)));
    return node;
  }
  const fill = (node, ...inside) => node.replaceChildren(...inside);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  function bar(part) {
    const inner = make("i");
    inner.style.width = `${100 * Math.max(0, Math.min(1, part ?? 0))}%`;
    return make("span", { class: "bar", "aria-hidden": "true" }, inner);
  }

  // ---- the data: files, and the tree of folders

  const files = () => data.files;
  function partOf(i) {
    const r = view.at.get(i), f = files();
    if (r === undefined) return 0;
    const it = view.readings;
    if (it.pages[r] && f.pages[i]) return Math.min(1, it.pages[r] / f.pages[i]);
    if (f.kind[i] === "image") return 1;
    if (f.lines[i] === null) return it.lines[r] ? null : 0;
    return f.lines[i] ? Math.min(1, it.lines[r] / f.lines[i]) : 1;
  }
  const weight = (i) => Math.max(1, files().size[i] ?? (files().lines[i] === null ? 400 : 36 * files().lines[i]));

  function chooseView(index) {
    view = data.views[index];
    view.at ??= new Map(view.readings.file.map((file, r) => [file, r]));
    const path = folder ? folder.path : null;
    tree = buildTree();
    folder = (path !== null && find(path)) || firstFork(tree);
  }
  const node = (name, path, above) => ({ name, path, above, folders: new Map(), files: [], size: 0, read: 0, calls: 0, tokens: 0, count: 0, touched: 0 });
  function buildTree() {
    const top = node("", "", null), onlyRead = $("only-read").checked;
    for (let i = 0; i < files().path.length; i++) {
      if (files().kind[i] === "directory") continue;
      const r = view.at.get(i);
      if (onlyRead && r === undefined) continue;
      const path = files().path[i], parts = path.split("/"), part = partOf(i), size = weight(i);
      if (parts[0] === "") parts.splice(0, 2, `/${parts[1] ?? ""}`);
      let at = top;
      for (let depth = 0; ; depth++) {
        at.size += size; at.read += size * (part ?? 0); at.count++;
        if (r !== undefined) { at.calls += view.readings.calls[r]; at.tokens += view.readings.tokens[r]; at.touched++; }
        if (depth === parts.length - 1) break;
        let next = at.folders.get(parts[depth]);
        if (!next) at.folders.set(parts[depth], (next = node(parts[depth], parts.slice(0, depth + 1).join("/"), at)));
        at = next;
      }
      at.files.push(i);
    }
    return top;
  }
  function find(path) {
    let at = tree;
    for (const part of path === "" ? [] : splitPath(path)) { at = at.folders.get(part); if (!at) return null; }
    return at;
  }
  const splitPath = (path) => { const parts = path.split("/"); if (parts[0] === "") parts.splice(0, 2, `/${parts[1] ?? ""}`); return parts; };
  function firstFork(at) {  // a folder with nothing but one folder is passed
    while (at.files.length === 0 && at.folders.size === 1) at = at.folders.values().next().value;
    return at;
  }
  const nameOf = (i) => { const path = files().path[i]; return path.slice(path.lastIndexOf("/") + 1) || path; };
  function contents(at) {
    const rows = [...at.folders.values()].map((inner) => ({ folder: inner, name: `${inner.name}/`, part: inner.size ? inner.read / inner.size : 0, calls: inner.calls, tokens: inner.tokens, size: inner.size }));
    for (const i of at.files) {
      const r = view.at.get(i);
      rows.push({ file: i, name: nameOf(i), part: partOf(i), calls: r === undefined ? 0 : view.readings.calls[r], tokens: r === undefined ? 0 : view.readings.tokens[r], size: weight(i) });
    }
    return rows;
  }

  // ---- totals

  function tile(label, value, note, kind = "", extra = null) {
    const inside = [make("dt", {}, label), make("dd", { class: value.length > 9 ? "value long" : "value" }, value)];
    if (extra) inside.push(make("dd", {}, extra));
    inside.push(make("dd", { class: "note" }, note));
    return make("div", { class: `tile ${kind}` }, ...inside);
  }
  function drawTiles() {
    const failed = Object.entries(view.failures), failures = failed.reduce((sum, [, n]) => sum + n, 0);
    const tools = Object.entries(view.tools).map(([name, n]) => `${count(n)} ${safe(name)}`).join(", ");
    const wasted = view.tokens ? view.repeated.tokens / view.tokens : 0;
    const p = data.project;
    const tiles = [
      tile("Calls", count(view.calls), tools || "no calls"),
      tile("Files read", count(view.files), p ? `${count(view.inProject)} of ${many(p.files, "file")} in the project` : "give --root to see what was never read"),
      tile("Tokens", count(view.tokens), view.files ? `${count(Math.round(view.tokens / Math.max(1, view.calls)))} a call` : "nothing was shown"),
      tile("Repeated reads", count(view.repeated.calls), view.repeated.calls ? `${many(view.repeated.tokens, "token")}, ${percent(wasted)} of all` : "nothing was read twice unchanged", view.repeated.calls ? "warn" : ""),
      tile("Failures", count(failures), failed.map(([name, n]) => `${count(n)} ${safe(name)}`).join(", ") || "every call was answered", failures ? "fail" : ""),
    ];
    if (p) tiles.push(tile("Project read", view.share === null ? "–" : percent(view.share), `of ${bytes(p.size)}${p.complete ? "" : "; not all files were looked at"}`, "", bar(view.share)));
    fill($("tiles"), ...tiles);
  }

  // ---- the project: map and table

  function drawFolder() {
    const above = [];
    for (let at = folder; at; at = at.above) above.unshift(at);
    fill($("crumbs"), ...above.map((at) => {
      const name = at.above ? short(at.name) : data.rootName ? short(data.rootName) : "all files";
      return make("li", {}, at === folder ? make("span", { "aria-current": "location" }, name) : make("button", { type: "button", onclick: () => openFolder(at) }, name));
    }));
    drawTable();
    drawMap();
  }
  function drawTable() {
    const rows = contents(folder), key = order.key, sign = order.down ? -1 : 1;
    const by = key === "name" ? (a, b) => (a.name < b.name ? -1 : 1) * sign : (a, b) => sign * ((a[key] ?? 0) - (b[key] ?? 0)) || (a.name < b.name ? -1 : 1);
    rows.sort(by);
    const some = shownAll ? rows : rows.slice(0, MOST_ROWS);
    fill($("folder").tBodies[0], ...some.map((row) => make("tr", {},
      make("td", { class: "name" }, make("button", { type: "button", class: "link", title: short(row.name), onclick: () => (row.folder ? openFolder(row.folder) : openFile(row.file)) }, short(row.name))),
      make("td", {}, make("span", { class: "part" }, bar(row.part), make("span", {}, percent(row.part)))),
      make("td", { class: "number" }, count(row.calls)),
      make("td", { class: "number" }, count(row.tokens)))));
    for (const head of $("folder").tHead.rows[0].cells) {
      const chosen = head.firstElementChild.dataset.sort === key;
      chosen ? head.setAttribute("aria-sort", order.down ? "descending" : "ascending") : head.removeAttribute("aria-sort");
    }
    const left = rows.length - some.length;
    fill($("folder-more"), ...(left > 0 ? [`${count(left)} more: they are in the map, or sort another way`] : rows.length ? [] : ["nothing here"]));
  }
  function openFolder(at) {
    folder = at; current = -1; shownAll = false;
    drawFolder();
    say(`${at.path || "all files"}: ${many(at.count, "file")}, ${percent(at.size ? at.read / at.size : 0)} read`);
  }
  const say = (words) => { $("map-said").textContent = safe(words); };

  // A squarified treemap: rows of rectangles as near to squares as can be.
  function squarify(items, x, y, w, h, place) {
    let sum = 0;
    for (const item of items) sum += item.size;
    if (!sum || w <= 0 || h <= 0) return;
    const scale = (w * h) / sum;
    let start = 0;
    while (start < items.length && w > 0.3 && h > 0.3) {
      const side = Math.min(w, h);
      let area = 0, end = start, best = Infinity;
      while (end < items.length) {
        const next = area + items[end].size * scale;
        const big = items[start].size * scale, small = items[end].size * scale;
        const worst = Math.max((side * side * big) / (next * next), (next * next) / (side * side * small));
        if (worst > best) break;
        best = worst; area = next; end++;
      }
      const thick = area / side;
      let along = 0;
      for (let i = start; i < end; i++) {
        const length = (items[i].size * scale) / thick;
        w >= h ? place(items[i], x, y + along, thick, length) : place(items[i], x + along, y, length, thick);
        along += length;
      }
      if (w >= h) { x += thick; w -= thick; } else { y += thick; h -= thick; }
      start = end;
    }
  }
  function layOut(at, x, y, w, h, depth) {
    const items = contents(at).sort((a, b) => b.size - a.size);
    squarify(items, x, y, w, h, (item, cx, cy, cw, ch) => {
      if (cw < 1.2 || ch < 1.2) return;
      const cell = { ...item, x: cx, y: cy, w: cw, h: ch, depth };
      cells.push(cell);
      const room = ch > 46 && cw > 56;
      if (item.folder && depth < 3 && cw > 26 && ch > 26) {
        cell.head = room ? 18 : 0;
        layOut(item.folder, cx + 2, cy + 2 + cell.head, cw - 4, ch - 4 - cell.head, depth + 1);
        cell.nested = true;
      }
    });
  }
  function pen(canvas) {
    const box = canvas.getBoundingClientRect(), ratio = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = Math.max(1, Math.round(box.width * ratio)); canvas.height = Math.max(1, Math.round(box.height * ratio));
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    return [c, box.width, box.height];
  }
  const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  function mixer() {
    const a = rgb(css("--unread")), b = rgb(css("--read"));
    return (part) => { const t = part === 0 ? 0 : 0.22 + 0.78 * part; return `rgb(${a.map((from, i) => Math.round(from + (b[i] - from) * t)).join(" ")})`; };
  }
  function fit(c, words, room) {
    if (c.measureText(words).width <= room) return words;
    let low = 0, high = Math.min(words.length, 120);
    while (low < high) { const mid = (low + high + 1) >> 1; c.measureText(`${words.slice(0, mid)}…`).width <= room ? (low = mid) : (high = mid - 1); }
    return low > 1 ? `${words.slice(0, low)}…` : "";
  }
  function drawMap() {
    const [c, w, h] = pen($("map")), colour = mixer(), paper = css("--folder"), line = css("--paper");
    const light = css("--on-read"), dark = css("--on-unread");
    cells = [];
    c.fillStyle = paper; c.fillRect(0, 0, w, h);
    layOut(folder, 1, 1, w - 2, h - 2, 0);
    for (const cell of cells) {
      const gap = Math.min(1, cell.w / 8, cell.h / 8);
      c.fillStyle = cell.nested ? paper : colour(cell.part ?? 0.5);
      c.fillRect(cell.x + gap, cell.y + gap, cell.w - 2 * gap, cell.h - 2 * gap);
      if (cell.nested) { c.strokeStyle = line; c.lineWidth = 1.5; c.strokeRect(cell.x + 0.5, cell.y + 0.5, cell.w - 1, cell.h - 1); }
      if (cell.nested && cell.head) {
        c.fillStyle = dark; c.font = "600 12px system-ui, sans-serif";
        c.fillText(fit(c, `${short(cell.name)}  ${percent(cell.part)}`, cell.w - 12), cell.x + 6, cell.y + 15);
      } else if (!cell.nested && cell.w > 44 && cell.h > 17) {
        c.fillStyle = (cell.part ?? 0.5) > 0.55 ? light : dark; c.font = "12px system-ui, sans-serif";
        c.fillText(fit(c, short(cell.name), cell.w - 10), cell.x + 6, cell.y + 15);
        if (cell.h > 34 && cell.w > 50) c.fillText(percent(cell.part), cell.x + 6, cell.y + 30);
      }
    }
    if (!cells.length) { c.fillStyle = css("--muted"); c.font = "15px system-ui, sans-serif"; c.fillText("Nothing to show", 16, 30); }
    drawCursor();
    const s = $("scale").getContext("2d");
    for (let i = 0; i < 160; i++) { s.fillStyle = colour(i < 8 ? 0 : i / 159); s.fillRect(i, 0, 1, 10); }
  }
  function drawCursor() {
    const [c] = pen($("map-cursor")), cell = cells[current];
    if (!cell) return;
    c.lineWidth = 3; c.strokeStyle = css("--paper"); c.strokeRect(cell.x + 1, cell.y + 1, cell.w - 2, cell.h - 2);
    c.lineWidth = 2; c.strokeStyle = css("--ink"); c.strokeRect(cell.x + 1, cell.y + 1, cell.w - 2, cell.h - 2);
  }
  const cellWords = (cell) => {
    const what = cell.folder ? `${many(cell.folder.touched, "file")} of ${count(cell.folder.count)} read` : linesWords(cell.file);
    return [short(cell.name), `${percent(cell.part)} read: ${what}; ${many(cell.calls, "call")}, ${many(cell.tokens, "token")}`];
  };
  function linesWords(i) {
    const r = view.at.get(i), f = files();
    if (r === undefined) return "never read";
    if (view.readings.pages[r] && f.pages[i]) return `${count(view.readings.pages[r])} of ${many(f.pages[i], "page")}`;
    if (f.kind[i] === "image") return "an image";
    return `${count(view.readings.lines[r])} of ${f.lines[i] === null ? "an unknown number of lines" : many(f.lines[i], "line")}`;
  }
  function pointAt(x, y) {
    let best = -1;
    for (let i = 0; i < cells.length; i++) { const k = cells[i]; if (x >= k.x && x < k.x + k.w && y >= k.y && y < k.y + k.h) best = i; }
    return best;
  }
  function showTip(tip, x, y, box, words) {
    fill(tip, make("b", {}, words[0]), words[1]);
    tip.hidden = false;
    tip.style.left = `${Math.max(4, Math.min(x + 14, box.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${y + 18 + tip.offsetHeight > box.height ? Math.max(4, y - tip.offsetHeight - 8) : y + 18}px`;
  }
  function openCell(cell) { if (cell) cell.folder ? openFolder(cell.folder) : openFile(cell.file); }
  function moveCursor(dx, dy) {
    const from = cells[current];
    if (!from) { current = cells.length ? 0 : -1; return; }
    const cx = from.x + from.w / 2, cy = from.y + from.h / 2;
    let best = -1, least = Infinity;
    cells.forEach((cell, i) => {
      if (i === current || cell.depth !== from.depth) return;
      const ex = cell.x + cell.w / 2 - cx, ey = cell.y + cell.h / 2 - cy, ahead = ex * dx + ey * dy, aside = Math.abs(ex * dy) + Math.abs(ey * dx);
      if (ahead > 1 && ahead + 2.5 * aside < least) { least = ahead + 2.5 * aside; best = i; }
    });
    if (best >= 0) current = best;
  }
  function mapKeys(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (moves[event.key]) moveCursor(...moves[event.key]);
    else if (event.key === "Enter" && cells[current]) { event.preventDefault(); return openCell(cells[current]); }
    else if ((event.key === "Backspace" || event.key === "Escape") && folder.above) { event.preventDefault(); return openFolder(folder.above); }
    else return;
    event.preventDefault();
    drawCursor();
    if (cells[current]) say(cellWords(cells[current]).join(", "));
  }

  // ---- calls

  const calls = () => data.calls;
  const callPath = (k) => (calls().file[k] >= 0 ? files().path[calls().file[k]] : calls().path[k] >= 0 ? calls().paths[calls().path[k]] : "");
  function options(select, names, all) {
    const chosen = select.value;
    fill(select, make("option", { value: "" }, all), ...names.map((name, i) => make("option", { value: String(i) }, short(name) || "(no name)")));
    select.value = [...select.options].some((o) => o.value === chosen) ? chosen : "";
  }
  function filterCalls() {
    const c = calls(), tool = $("filter-tool").value, outcome = $("filter-outcome").value, wanted = $("filter-path").value.toLowerCase();
    const caller = view.caller === null ? -1 : c.callers.indexOf(view.caller), known = new Map();
    const fits = (k) => {
      if (!wanted) return true;
      const key = c.file[k] >= 0 ? c.file[k] : -2 - c.path[k];
      let yes = known.get(key);
      if (yes === undefined) known.set(key, (yes = callPath(k).toLowerCase().includes(wanted)));
      return yes;
    };
    matching = [];
    for (let k = c.at.length - 1; k >= 0; k--) {
      if ((caller < 0 || c.caller[k] === caller) && (tool === "" || c.tool[k] === +tool) && (outcome === "" || c.outcome[k] === +outcome) && fits(k)) matching.push(k);
    }
  }
  const inRange = () => (range ? matching.filter((k) => calls().at[k] >= range[0] && calls().at[k] < range[1]) : matching);
  function drawCalls() {
    const shown = inRange(), c = calls();
    page = Math.max(0, Math.min(page, Math.ceil(shown.length / CALLS_A_PAGE) - 1));
    const some = shown.slice(page * CALLS_A_PAGE, (page + 1) * CALLS_A_PAGE);
    fill($("calls").tBodies[0], ...some.map((k) => {
      const path = callPath(k), outcome = c.outcomes[c.outcome[k]], file = c.file[k], name = short(path) || "–";
      const isFile = file >= 0 && files().kind[file] !== "directory";
      return make("tr", {},
        make("td", { class: "when", title: clock(c.at[k]) }, moment(c.at[k])), make("td", { class: "who" }, short(c.callers[c.caller[k]] ?? "") || "–"), make("td", { class: "aside" }, short(c.tools[c.tool[k]] ?? "")),
        make("td", { class: "name" }, isFile ? make("button", { type: "button", class: "link", title: name, onclick: () => openFile(file) }, name) : make("span", { class: "cut", title: name }, name)),
        make("td", { class: GOOD.has(outcome) ? "outcome" : "outcome fail" }, short(outcome ?? "")),
        make("td", { class: "number" }, c.first[k] ? `${count(c.first[k])}–${count(c.last[k])}` : "–"), make("td", { class: "number" }, count(c.tokens[k])),
        make("td", { class: "number aside" }, (c.us[k] / 1000).toFixed(1)));
    }));
    const last = Math.ceil(shown.length / CALLS_A_PAGE) - 1, first = page * CALLS_A_PAGE;
    const turn = (by, words, off) => { const b = make("button", { type: "button", onclick: () => { page += by; drawCalls(); } }, words); b.disabled = off; return b; };
    fill($("calls-pager"), turn(-1, "Later", page <= 0), turn(1, "Earlier", page >= last), make("span", {}, shown.length ? `${count(first + 1)}–${count(first + some.length)} of ${many(shown.length, "call")}` : "no call fits these filters"));
    const kept = c.at.length, all = data.views[0].calls;
    $("calls-note").textContent = kept < all ? `The latest ${count(kept)} of ${count(all)} calls; every number above counts all of them.` : "Every call, the latest first.";
  }
  let buckets = [], bucketSpan = [0, 1];
  function drawTime() {
    const [c, w, h] = pen($("time")), all = calls().at;
    const timed = matching.filter((k) => all[k] >= 0);
    let from = Infinity, to = -Infinity;
    for (const k of timed) { const t = all[k]; if (t < from) from = t; if (t > to) to = t; }
    buckets = [];
    c.clearRect(0, 0, w, h);
    if (!timed.length) { $("time-range").textContent = ""; $("time").setAttribute("aria-label", "Calls over time: none"); return; }
    to = Math.max(to, from + 1);
    const slots = Math.max(12, Math.min(160, Math.floor(w / 7))), width = (to - from) / slots + 1e-9;
    bucketSpan = [from, width];
    buckets = Array.from({ length: slots }, () => [0, 0]);
    for (const k of timed) buckets[Math.min(slots - 1, Math.floor((all[k] - from) / width))][GOOD.has(calls().outcomes[calls().outcome[k]]) ? 0 : 1]++;
    const most = Math.max(...buckets.map(([a, b]) => a + b)), unit = (h - 14) / most, step = w / slots;
    buckets.forEach(([good, bad], i) => {
      const x = i * step + 1, wide = Math.max(1, step - 2), goodHigh = good ? Math.max(2, good * unit) : 0, badHigh = bad ? Math.max(2, bad * unit) : 0;
      const start = from + i * width;
      c.globalAlpha = range && !(start < range[1] && start + width > range[0]) ? 0.3 : 1;
      c.fillStyle = css("--shown"); c.fillRect(x, h - goodHigh, wide, goodHigh);
      c.fillStyle = css("--fail"); c.fillRect(x, h - goodHigh - badHigh, wide, badHigh);
    });
    c.globalAlpha = 1;
    const said = `${clock(from)} to ${moment(to)} UTC, ${duration(to - from)}`;
    fill($("time-range"), ...(range ? [make("button", { type: "button", onclick: () => { range = null; page = 0; drawTime(); drawCalls(); } }, `only ${clock(range[0])} – show all`)] : [said]));
    $("time").setAttribute("aria-label", `Calls over time: ${many(timed.length, "call")}, ${said}, at most ${count(most)} in ${duration(width)}`);
  }
  function refilter() { page = 0; range = null; filterCalls(); drawTime(); drawCalls(); }

  // ---- what could be saved

  function card(title, value, words, rows) {
    return make("article", { class: "card" }, make("h3", {}, title), make("p", { class: "value" }, value), make("p", { class: "muted" }, words), make("ul", { class: "plain" }, ...rows));
  }
  function savedRows(callsOf, tokensOf) {
    const it = view.readings;
    return it.file.map((file, r) => [file, callsOf[r], tokensOf[r]]).filter(([, n]) => n).sort((a, b) => b[2] - a[2]).slice(0, 8)
      .map(([file, n, tokens]) => make("li", {}, make("button", { type: "button", class: "link", title: short(files().path[file]), onclick: () => openFile(file) }, short(files().path[file])), make("span", {}, `${count(n)} × · ${many(tokens, "token")}`)));
  }
  function drawSavings() {
    const it = view.readings;
    fill($("savings"),
      card("Read twice, unchanged", many(view.repeated.tokens, "token"), view.repeated.calls ? `${many(view.repeated.calls, "call")} showed nothing that the same caller had not been shown before. With if_revision an unchanged file costs a line.` : "No call showed only what the same caller had been shown before.", savedRows(it.repeatedCalls, it.repeatedTokens)),
      card("Whole files for one match", many(view.whole.tokens, "token"), view.whole.calls ? `${many(view.whole.calls, "time")} a search found one line of a file, and the whole file was read. Reading around the line, or view=block, costs less.` : "No file was read whole after a search had found one line of it.", savedRows(it.wholeCalls, it.wholeTokens)),
      card("Failures repeated", many(view.repeatedFailures, "call"), view.repeatedFailures ? "A path failed for the same caller as it had before: same tool, same outcome." : "No path failed twice for the same caller in the same way.",
        view.again.slice(0, 8).map(([tool, path, outcome, times]) => make("li", {}, make("span", { title: short(path) }, `${short(tool)} ${short(path) || "–"}`), make("span", {}, `${count(times)} × ${short(outcome)}`)))));
  }

  // ---- a file

  function runsOf(written) {  // gap,length,times;… as the page has them -> [first, last, times]
    const runs = [];
    let line = 0;
    for (const each of written ? written.split(";") : []) {
      const [gap, length, times = 1] = each.split(",").map(Number);
      runs.push([line + gap + 1, line + gap + length, times]);
      line += gap + length;
    }
    return runs;
  }
  const STATES = { missing: "It was not found below the root: it is gone, not allowed, inside an archive, or could not be opened in time.", elsewhere: "It is not below the root: its text is left out.", changed: "The file has changed since it was read: its text is left out, since its lines may be others.", unknown: "Its text is left out: no record says which revision was read.", large: "Its text is left out: it is too large for this page.", full: "Its text is left out: the page has no room for more.", binary: "It has no lines of text to show.", "": "Give --root to see its text here." };
  function openFile(i) {
    const r = view.at.get(i), f = files(), runs = r === undefined ? [] : runsOf(view.readings.runs[r]);
    const text = data.texts[i] === undefined ? null : data.texts[i].split("\n");
    const total = f.lines[i] ?? (runs.length ? runs[runs.length - 1][1] : 0);
    opened = { i, runs, text, total, most: Math.max(1, ...runs.map((run) => run[2])) };
    $("file-title").textContent = short(f.path[i]);
    const facts = [linesWords(i)];
    if (r !== undefined) facts.push(many(view.readings.calls[r], "call"), many(view.readings.tokens[r], "token"));
    if (f.size[i] !== null) facts.push(bytes(f.size[i]));
    if (f.revisions[i] > 1) facts.push(`${count(f.revisions[i])} revisions of it were read; line numbers are those of each call`);
    $("file-facts").textContent = facts.join(" · ");
    const say = (first, last) => (first === last ? `${count(first)}` : `${count(first)}–${count(last)}`);
    const rows = [];
    let line = 0;
    for (const [first, last, times] of [...runs, [total + 1, total, 0]]) {
      if (first > line + 1) rows.push([line + 1, first - 1, 0]);
      if (times) rows.push([first, last, times]);
      line = Math.max(line, last);
    }
    const some = rows.slice(0, MOST_ROWS);
    fill($("ranges").tBodies[0], ...some.map(([first, last, times]) => make("tr", {},
      make("td", {}, make("button", { type: "button", class: "link", onclick: () => scrollToLine(first) }, say(first, last))), make("td", { class: "number" }, times ? count(times) : "never"))));
    if (rows.length > some.length) $("ranges").tBodies[0].append(make("tr", {}, make("td", { colspan: "2" }, `${count(rows.length - some.length)} further ranges are in the strip`)));
    drawFileCalls(i);
    if (!$("file").open) $("file").showModal();
    $("text").scrollTop = 0;
    drawText();
    const first = runs.find((run) => run[2]);
    if (text && first && first[0] > 30) scrollToLine(first[0]);
  }
  function drawFileCalls(i) {
    const c = calls(), own = [];
    const caller = view.caller === null ? -1 : c.callers.indexOf(view.caller);
    let more = 0;
    for (let k = c.at.length - 1; k >= 0; k--) {
      if (c.file[k] !== i || (caller >= 0 && c.caller[k] !== caller)) continue;
      if (own.length < 100) own.push(k); else more++;
    }
    fill($("file-calls"), ...own.map((k) => make("li", {},
      make("span", { title: clock(c.at[k]) }, `${moment(c.at[k])}${c.callers[c.caller[k]] ? ` · ${short(c.callers[c.caller[k]])}` : ""}`),
      make("span", {}, `${c.first[k] ? `${count(c.first[k])}–${count(c.last[k])}` : short(c.outcomes[c.outcome[k]])} · ${count(c.tokens[k])} tokens`))));
    if (more) $("file-calls").append(make("li", {}, make("span", {}, `${many(more, "earlier call")}`), ""));
    if (!own.length) $("file-calls").append(make("li", {}, make("span", {}, "none among the calls in this page: searches showed it, or it was never read"), ""));
  }
  function timesAt(line) {
    const runs = opened.runs;
    let low = 0, high = runs.length - 1;
    while (low <= high) { const mid = (low + high) >> 1; if (runs[mid][1] < line) low = mid + 1; else if (runs[mid][0] > line) high = mid - 1; else return runs[mid][2]; }
    return 0;
  }
  function scrollToLine(line) {
    if (opened.text) { $("text").scrollTop = Math.max(0, (line - 4) * LINE); drawText(); }
  }
  function drawText() {
    const rows = $("text-rows"), box = $("text");
    if (!opened.text) {
      rows.style.height = "auto";
      fill(rows, make("p", { class: "blank" }, STATES[data.states[opened.i] ?? (data.project ? "unknown" : "")]));
      return drawStrip();
    }
    rows.style.height = `${opened.text.length * LINE + 8}px`;
    const from = Math.max(0, Math.floor(box.scrollTop / LINE) - 20), to = Math.min(opened.text.length, from + Math.ceil(box.clientHeight / LINE) + 40);
    const parts = [];
    for (let n = from; n < to; n++) {
      const times = timesAt(n + 1);
      const row = make("div", { class: `row ${times > 1 ? "seen often" : times ? "seen" : "unseen"}` }, make("span", { class: "no" }, String(n + 1)), make("span", { class: "times" }, times > 1 ? `${count(times)}×` : ""), make("span", { class: "code" }, safe(opened.text[n].replace(/\t/g, "    "))));
      if (times) row.title = `read ${many(times, "time")}`;
      row.style.top = `${n * LINE}px`;
      parts.push(row);
    }
    fill(rows, ...parts);
    drawStrip();
  }
  function drawStrip() {
    const [c, w, h] = pen($("strip")), { runs, total, most, text } = opened, a = rgb(css("--unread")), b = rgb(css("--read"));
    c.fillStyle = css("--unread"); c.fillRect(16, 0, w - 32, h);
    const scale = total ? h / total : 0;
    for (const [first, last, times] of runs) {
      const t = most === 1 ? 0.8 : 0.35 + 0.65 * (Math.log(times) / Math.log(most));
      c.fillStyle = `rgb(${a.map((from, i) => Math.round(from + (b[i] - from) * t)).join(" ")})`;
      c.fillRect(16, (first - 1) * scale, w - 32, Math.max(1, (last - first + 1) * scale));
    }
    if (text) {
      const box = $("text"), top = (box.scrollTop / LINE) * scale, high = Math.max(6, (box.clientHeight / LINE) * scale);
      c.lineWidth = 2; c.strokeStyle = css("--ink"); c.strokeRect(10, Math.min(top, h - high) + 1, w - 20, Math.min(high, h) - 2);
    }
    const read = runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    $("strip").setAttribute("aria-label", `Strip of ${many(total, "line")}: ${count(read)} read, some up to ${many(most, "time")}; the table of lines says which`);
  }
  function stripTo(event) {
    const box = $("strip").getBoundingClientRect();
    if (opened.text) { $("text").scrollTop = ((event.clientY - box.top) / box.height) * opened.text.length * LINE - $("text").clientHeight / 2; drawText(); }
  }

  // ---- the page as a whole

  function load(fresh) {
    data = fresh;
    const names = data.views.map((each) => each.caller), chosen = $("caller").value;
    fill($("caller"), ...names.map((name, i) => make("option", { value: String(i) }, i ? short(name) || "(no name)" : "all together")));
    $("caller-field").hidden = names.length < 2;
    if (chosen && chosen < names.length) $("caller").value = chosen;
    const [from, to] = data.span, parts = [];
    if (data.root) parts.push(short(data.rootName));
    if (from !== null) parts.push(`${clock(from)} to ${moment(to)} UTC (${duration(to - from)})`);
    if (names.length > 1) parts.push(`${many(names.length - 1, "caller")}`);
    $("subtitle").title = data.root ? short(data.root) : "";
    $("subtitle").textContent = parts.join(" · ") || "No calls are recorded yet.";
    $("project-note").textContent = data.project ? "Area: size of the files. Colour: how much of them was read." : "Files of the record. Area: their lines. Colour: how much of them was read.";
    const remarks = [];
    if (data.recordedRoot) remarks.push(`Recorded below ${short(data.recordedRoot)}, compared with ${short(data.root)} by relative paths.`);
    if (data.damaged) remarks.push(`${many(data.damaged, "line")} of the record could not be read.`);
    if (data.further) remarks.push(`There are too many files to tell one by one: ${many(data.further, "call")} that showed further ones are in the totals alone.`);
    if (data.dropped) remarks.push(`${many(data.dropped, "record")} could not be written at the time.`);
    remarks.push("Tokens are those of the replies, counted or estimated; searches are in the total, not in files. A read is repeated if every line of it had been shown to the same caller before, unchanged. Press / to filter calls by path.");
    $("remarks").textContent = remarks.join(" ");
    options($("filter-tool"), calls().tools, "all");
    options($("filter-outcome"), calls().outcomes, "all");
    show();
  }
  function show() {
    chooseView(+$("caller").value || 0);
    drawTiles(); drawFolder(); drawSavings(); filterCalls(); drawTime(); drawCalls();
  }
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let theme = "auto";
  function applyTheme() {
    document.documentElement.dataset.theme = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
    $("theme").textContent = `Theme: ${theme}`;
    if (data) { drawMap(); drawTime(); if ($("file").open) drawStrip(); }
  }
  let waiting = 0;
  function redraw() { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(() => { drawMap(); drawTime(); if ($("file").open) drawText(); }); }

  function listen() {
    const cursor = $("map-cursor"), frame = $("map-frame"), tip = $("tip");
    $("caller").addEventListener("change", () => { page = 0; range = null; show(); });
    $("theme").addEventListener("click", () => { theme = { auto: "light", light: "dark", dark: "auto" }[theme]; applyTheme(); });
    dark.addEventListener("change", applyTheme);
    $("only-read").addEventListener("change", () => { const path = folder.path; tree = buildTree(); folder = find(path) || firstFork(tree); drawFolder(); });
    cursor.addEventListener("mousemove", (event) => {
      const box = frame.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top, at = pointAt(x, y);
      if (at !== current) { current = at; drawCursor(); }
      cells[at] ? showTip(tip, x, y, box, cellWords(cells[at])) : (tip.hidden = true);
    });
    cursor.addEventListener("mouseleave", () => { tip.hidden = true; current = -1; drawCursor(); });
    cursor.addEventListener("click", (event) => { const box = frame.getBoundingClientRect(); tip.hidden = true; openCell(cells[pointAt(event.clientX - box.left, event.clientY - box.top)]); });
    cursor.addEventListener("keydown", mapKeys);
    for (const head of $("folder").tHead.querySelectorAll("button")) head.addEventListener("click", () => {
      const key = head.dataset.sort;
      order = { key, down: order.key === key ? !order.down : key !== "name" };
      drawTable();
    });
    for (const id of ["filter-tool", "filter-outcome"]) $(id).addEventListener("change", refilter);
    $("filter-path").addEventListener("input", refilter);
    $("filters").addEventListener("reset", () => setTimeout(refilter));
    $("filters").addEventListener("submit", (event) => event.preventDefault());
    const time = $("time"), slot = (event) => Math.floor(((event.clientX - time.getBoundingClientRect().left) / time.getBoundingClientRect().width) * buckets.length);
    time.addEventListener("mousemove", (event) => {
      const i = slot(event), box = time.getBoundingClientRect();
      if (!buckets[i]) return;
      showTip($("time-tip"), event.clientX - box.left, 30, box, [`${clock(bucketSpan[0] + i * bucketSpan[1])} UTC`, `${many(buckets[i][0], "call")} shown, ${count(buckets[i][1])} failed`]);
    });
    time.addEventListener("mouseleave", () => { $("time-tip").hidden = true; });
    time.addEventListener("click", (event) => {
      const i = slot(event);
      if (buckets[i] && buckets[i][0] + buckets[i][1]) { range = [bucketSpan[0] + i * bucketSpan[1], bucketSpan[0] + (i + 1) * bucketSpan[1] + 1e-6]; page = 0; drawTime(); drawCalls(); }
    });
    $("file-close").addEventListener("click", () => $("file").close());
    $("text").addEventListener("scroll", () => requestAnimationFrame(drawText), { passive: true });
    $("strip").addEventListener("pointerdown", stripTo);
    $("strip").addEventListener("pointermove", (event) => { if (event.buttons) stripTo(event); });
    document.addEventListener("keydown", (event) => {
      if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName) && !$("file").open) { event.preventDefault(); $("filter-path").focus(); }
    });
    window.addEventListener("resize", redraw);
  }

  // ---- a page that a server keeps fresh

  function keepFresh() {
    let mark = data.mark;
    setInterval(async () => {
      if (document.hidden || $("file").open) return;
      try {
        const reply = await fetch(data.live, { headers: { "If-None-Match": `"${mark}"` }, cache: "no-store" });
        if (reply.status !== 200) return;
        const fresh = await reply.json();
        if (fresh.mark !== mark) { mark = fresh.mark; load(fresh); }
      } catch { /* the server has ended, or is busy: the page stays as it is */ }
    }, REFRESH_MS);
  }

  // ---- a page inside an MCP client: it says that it is ready, how high it is, and takes the client's theme

  function greetHost() {
    const send = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
    const takeTheme = (context) => { if (context && (context.theme === "dark" || context.theme === "light")) { theme = context.theme; applyTheme(); } };
    window.addEventListener("message", ({ source, data: message }) => {
      if (source !== window.parent || !message || message.jsonrpc !== "2.0") return;
      if (message.id === 1 && message.result) {
        takeTheme(message.result.hostContext);
        send({ method: "ui/notifications/initialized", params: {} });
        new ResizeObserver(() => send({ method: "ui/notifications/size-changed", params: { width: document.documentElement.scrollWidth, height: document.body.scrollHeight } })).observe(document.body);
      } else if (message.method === "ui/notifications/host-context-changed") takeTheme(message.params);
      else if (message.method === "ui/resource-teardown") send({ id: message.id, result: {} });
    });
    send({ id: 1, method: "ui/initialize", params: { protocolVersion: "2026-01-26", appInfo: { name: "readwell-ledger", version: data.version }, appCapabilities: {} } });
  }

  listen();
  load(JSON.parse($("data").textContent));
  applyTheme();
  if (data.live) keepFresh();
  if (data.app && window.parent !== window) greetHost();
  document.documentElement.dataset.ready = "yes";
})();
